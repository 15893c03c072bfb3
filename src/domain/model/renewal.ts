import type { Instant } from "../calendar.ts";
import { turnDiscount } from "./discount-change.ts";
import { fullLine, type LineDraft } from "./invoice.ts";
import { nextPeriod, samePeriod, startPeriods } from "./period.ts";
import type { UnitName } from "./quantity.ts";
import { nextStatus, type Subscription, type SubscriptionCause, type SubscriptionStatus } from "./subscription.ts";
import type { LineTax } from "../tax/tax.ts";

export type RenewalPlan = {
  subscription: Subscription;
  line: LineDraft;
  event: "subscription.activated" | "subscription.renewed" | "subscription.resumed";
};

/** Applies the pending change. Another interval starts at the boundary, which is its new anchor (rules T2, P). */
function applyPending(subscription: Subscription): {
  next: Subscription;
  /** The Product and the unit of the pending change; null: none is pending. */
  named: Named | null;
  restarted: boolean;
} {
  const pending = subscription.pendingChange;
  if (!pending) return { next: subscription, named: null, restarted: false };
  const { productId, productName, unitName, groupKey, amount, quantity, interval, intervalCount } = pending;
  const sold = { productId, groupKey, amount, quantity, interval, intervalCount };
  const next = { ...subscription, ...sold, pendingChange: null };
  return { next, named: { productName, unitName }, restarted: !samePeriod(subscription, pending) };
}

/** The states from which the periods are counted anew. */
const ANEW: Partial<Record<SubscriptionStatus, { cause: SubscriptionCause; event: RenewalPlan["event"] }>> = {
  trialing: { cause: "trial_ended", event: "subscription.activated" },
  paused: { cause: "resumed", event: "subscription.resumed" },
};

/** The names of the current Product and of its unit, which a line shows. */
type Named = { productName: string; unitName: UnitName | null };
type RenewalFacts = Named & { timeZone: string; tax: LineTax | null };

/**
 * The period after the current one (rule S): the pending change is applied, the period advances, one full line is
 * billed. At a trial's end the paid periods begin, in the Organization's zone of that moment (rule T2). `at`: the begin
 * of the period, which is the current one's end. A restarted or resumed period begins at its own anchor (rules D8,
 * S8g).
 */
export function planRenewal(
  subscription: Subscription,
  { productName, unitName, timeZone, tax }: RenewalFacts,
  at: Instant = subscription.currentPeriodEnd,
): RenewalPlan {
  const { next, named, restarted } = applyPending(subscription);
  const { status } = subscription;
  const anew = ANEW[status];
  const { currentPeriodEnd: from, anchorTimeZone } = subscription;
  const isAnew = anew !== undefined || restarted || at > from;
  const period = isAnew ? startPeriods(at, timeZone, next) : nextPeriod(next);
  const counting = { from, to: at, zones: [anchorTimeZone, timeZone] as [string, string] };
  const turned = turnDiscount(next, at, timeZone, isAnew ? counting : null);
  const { discount } = turned;
  const span = { start: at, end: period.currentPeriodEnd };
  const { productName: name, unitName: noun } = named ?? { productName, unitName };
  const { productId: id, amount: price, quantity, currency } = next;
  const line = fullLine({ id, name, price, quantity, unitName: noun, currency }, span, { discount, tax });
  const renewed: Subscription = {
    ...next,
    ...period,
    ...(status === "paused" && { pause: null, grantsSuspended: false }),
    status: nextStatus(status, anew?.cause ?? "period_ended"),
    periodNumber: subscription.periodNumber + 1,
    paidRate: line.amount - line.discountAmount,
    paidTax: tax,
    ...turned,
  };
  return { subscription: renewed, line, event: anew?.event ?? "subscription.renewed" };
}
