import type { Instant, Interval } from "./calendar.ts";
import { fullLine, type LineDraft } from "./invoice.ts";
import { samePeriod, startPeriods } from "./period.ts";
import { restOf, type ProrationBehavior } from "./proration.ts";
import { NO_CANCELLATION, type PendingChange, type Subscription } from "./subscription.ts";

/** The Product to change to, with its price in the Subscription's currency. */
export type ChangeTarget = {
  productId: string;
  productName: string;
  groupKey: string | null;
  amount: number;
  interval: Interval;
  intervalCount: number;
};

export type ChangeFacts = {
  target: ChangeTarget;
  /** Name of the present Product, for the credit line. */
  productName: string;
  behavior: ProrationBehavior;
  /** `cancelAtPeriodEnd: false` came with the Product: undo, then change, as one. */
  undo: boolean;
  hasOpenInvoice: boolean;
  hasCard: boolean;
  /** The Organization's zone: that of the new anchor when the period restarts. */
  timeZone: string;
  now: Instant;
};

export type ChangeRefusal =
  | "subscription_canceled"
  | "subscription_cancellation_scheduled"
  | "subscription_past_due"
  | "invoice_open"
  | "change_in_progress"
  | "payment_method_required";

/**
 * What a change does: the columns it sets, and what it bills. `now`: one invoice with these lines; `wait`: lines for the next
 * invoice; `none`: nothing. `restarted` begins a period of its own.
 */
export type ChangePlan =
  | { refusal: ChangeRefusal }
  | { unchanged: true }
  | { set: Partial<Subscription>; lines: LineDraft[]; bill: "now" | "wait" | "none"; restarted: boolean };

/** A change that bills nothing. */
function silently(set: Partial<Subscription>): ChangePlan {
  return { set, lines: [], bill: "none", restarted: false };
}

/** Why no change is possible at all; null when one is. */
function refusal(subscription: Subscription, undo: boolean): ChangeRefusal | null {
  if (subscription.status === "canceled") return "subscription_canceled";
  if (subscription.changeId) return "change_in_progress";
  if (subscription.cancelAtPeriodEnd && !undo) return "subscription_cancellation_scheduled";
  return null;
}

function isPending(pending: PendingChange, target: ChangeTarget): boolean {
  return pending.productId === target.productId && pending.amount === target.amount && samePeriod(pending, target);
}

/** The change of a Subscription's Product (rules P1–P9), decided without writing: a preview is this and no more (rule P8). */
export function planChange(subscription: Subscription, facts: ChangeFacts): ChangePlan {
  const { target, behavior, undo, now } = facts;
  const refused = refusal(subscription, undo);
  if (refused) return { refusal: refused };
  const undone = undo && subscription.cancelAtPeriodEnd ? NO_CANCELLATION : {};
  const present = target.productId === subscription.productId;
  const isScheduled = subscription.pendingChange !== null && isPending(subscription.pendingChange, target);
  if (behavior === "next_period" && isScheduled) return Object.keys(undone).length > 0 ? silently(undone) : { unchanged: true };
  if (present && subscription.pendingChange) return silently({ ...undone, pendingChange: null });
  if (present && target.amount === subscription.amount) return Object.keys(undone).length > 0 ? silently(undone) : { unchanged: true };
  if (behavior !== "next_period" && subscription.status === "past_due") return { refusal: "subscription_past_due" };
  if (behavior !== "next_period" && facts.hasOpenInvoice) return { refusal: "invoice_open" };
  if (target.amount > 0 && !facts.hasCard) return { refusal: "payment_method_required" };
  const product = { productId: target.productId, groupKey: target.groupKey, amount: target.amount, pendingChange: null };
  if (behavior === "next_period") return schedule(subscription, target, undone);
  if (subscription.status === "trialing") {
    return silently({ ...undone, ...product, interval: target.interval, intervalCount: target.intervalCount });
  }
  if (subscription.amount > 0 && samePeriod(subscription, target)) return prorate(subscription, facts, { ...undone, ...product });
  const period = startPeriods(now, facts.timeZone, target);
  const set = { ...undone, ...product, ...period, periodNumber: subscription.periodNumber + 1, paidRate: target.amount };
  const full = fullLine({ id: target.productId, name: target.productName }, target.amount, { start: now, end: period.currentPeriodEnd });
  const fromFree = subscription.amount === 0;
  const lines = behavior === "none" && !fromFree ? [full] : [...credit(subscription, facts), full];
  return { set, lines, bill: "now", restarted: true };
}

/** Nothing now: the change waits for the period's end, at the price of today (rule P6). */
function schedule(subscription: Subscription, target: ChangeTarget, undone: Partial<Subscription>): ChangePlan {
  const { productId, productName, groupKey, amount, interval, intervalCount } = target;
  const effectiveAt = subscription.currentPeriodEnd;
  const pendingChange = { productId, productName, groupKey, amount, interval, intervalCount, effectiveAt };
  return silently({ ...undone, pendingChange });
}

/** The period goes on: the rest of it at the old rate is given back, at the new rate billed (rules P, P3). */
function prorate(subscription: Subscription, facts: ChangeFacts, set: Partial<Subscription>): ChangePlan {
  const { target, now, behavior } = facts;
  if (behavior === "none") return silently(set);
  const debit: LineDraft = {
    description: `${target.productName}, rest of the period`,
    productId: target.productId,
    amount: restOf(target.amount, subscription, now),
    proration: true,
    periodStart: now,
    periodEnd: subscription.currentPeriodEnd,
  };
  const lines = [...credit(subscription, facts), ...(debit.amount === 0 ? [] : [debit])];
  return { set: { ...set, paidRate: target.amount }, lines, bill: behavior === "invoice_now" ? "now" : "wait", restarted: false };
}

/** The unused rest of what the period was billed at; none where that is nothing. */
function credit(subscription: Subscription, { productName, now }: ChangeFacts): LineDraft[] {
  const amount = -restOf(subscription.paidRate, subscription, now);
  if (amount === 0) return [];
  const description = `${productName}, unused rest of the period`;
  return [
    { description, productId: subscription.productId, amount, proration: true, periodStart: now, periodEnd: subscription.currentPeriodEnd },
  ];
}
