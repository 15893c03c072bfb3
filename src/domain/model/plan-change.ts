import type { Instant, Interval } from "../calendar.ts";
import { mostCredit, type BilledLine } from "./line-credit.ts";
import { discountOn, isFreeForEver } from "./discount.ts";
import { nextDiscountOf, turnDiscount } from "./discount-change.ts";
import { fullLine, lineTotal, type LineDraft } from "./invoice.ts";
import { basisUnits } from "./line-basis.ts";
import { descriptionOf, titleOf } from "./line-title.ts";
import { samePeriod, startPeriods } from "./period.ts";
import { sumOf } from "../money.ts";
import { restOf, type ProrationBehavior } from "./proration.ts";
import { pausedRefusal } from "./pause.ts";
import type { UnitName, Units } from "./quantity.ts";
import { changesAt, NO_CANCELLATION, type PendingChange, type Subscription } from "./subscription.ts";
import { billedOf, taxOf, type LineTax } from "../tax/tax.ts";

/**
 * The Product and the quantity to change to. `amount`: the total of a period in the Subscription's currency (rule Q4).
 */
export type ChangeTarget = Units & {
  productId: string;
  productName: string;
  groupKey: string | null;
  amount: number;
  interval: Interval;
  intervalCount: number;
};

export type ChangeFacts = {
  target: ChangeTarget;
  /** Name of the current Product and of its unit, for the credit line. */
  productName: string;
  unitName: UnitName | null;
  /** The line that the paid rate comes from, which a credit gives back (rule P10); null: the line is unknown. */
  billed: BilledLine | null;
  behavior: ProrationBehavior;
  /**
   * The request has `cancelAtPeriodEnd: false` beside the Product: one step undoes the cancellation and changes the
   * Product.
   */
  undo: boolean;
  /** The request asks for the catalogue's present price of the current Product (rule P7). */
  atCatalogue: boolean;
  hasOpenInvoice: boolean;
  hasCard: boolean;
  /** The tax of new lines; credits bear the tax that their period was billed with (rule X3). */
  tax: LineTax | null;
  /** The Organization's zone, for the new anchor of a restarted period. */
  timeZone: string;
  now: Instant;
};

export type ChangeRefusal =
  | "subscription_canceled"
  | "subscription_cancellation_scheduled"
  | "subscription_past_due"
  | "subscription_pause_scheduled"
  | "subscription_paused"
  | "invoice_open"
  | "change_in_progress"
  | "payment_method_required";

/**
 * The effect of a change: the columns that it sets, and its lines. `now`: one invoice with these lines. `wait`: lines
 * for the next invoice. `none`: no lines. `restarted`: the change begins a period of its own.
 */
export type ChangePlan = { refusal: ChangeRefusal } | { unchanged: true } | BilledPlan;

type BilledPlan = { set: Partial<Subscription>; lines: LineDraft[]; bill: "now" | "wait" | "none"; restarted: boolean };

/** The effect of a change that is not made (rule P8). `balanceChange` is positive in the Customer's favour. */
export type ChangePreview = {
  lines: readonly LineDraft[];
  chargeAmount: number;
  balanceChange: number;
  effectiveAt: Instant;
  nextInvoice: { at: Instant; lines: readonly LineDraft[] } | null;
};

/** Another Product, or the catalogue's price, takes the place of a new price that waits (rule N5). */
const withoutPrice = ({ priceChange, productId }: Subscription, { target, atCatalogue }: ChangeFacts) =>
  priceChange !== null && (atCatalogue || target.productId !== productId) ? { priceChange: null } : {};

/** A change without lines. */
function silently(set: Partial<Subscription>): BilledPlan {
  return { set, lines: [], bill: "none", restarted: false };
}

/** As `silently`. A change that sets no column has no effect. */
function silentlyIfAny(set: Partial<Subscription>): ChangePlan {
  return Object.keys(set).length > 0 ? silently(set) : { unchanged: true };
}

/** The reason why no change is possible at all; null: a change is possible. */
function refusal(subscription: Subscription, undo: boolean): ChangeRefusal | null {
  if (subscription.status === "canceled") return "subscription_canceled";
  if (subscription.changeId) return "change_in_progress";
  if (subscription.cancelAtPeriodEnd && !undo) return "subscription_cancellation_scheduled";
  return null;
}

function isPending(pending: PendingChange, target: ChangeTarget): boolean {
  const isSame = pending.productId === target.productId && pending.quantity === target.quantity;
  return isSame && pending.amount === target.amount && samePeriod(pending, target);
}

/** Whether the Subscription has this Product, quantity and price already (rules P6, Q6c). */
const isCurrent = (subscription: Subscription, { productId, amount, quantity }: ChangeTarget): boolean =>
  productId === subscription.productId && amount === subscription.amount && quantity === subscription.quantity;

/** Whether only the quantity of a free Subscription changes: no amount is billed, so no period begins (rule Q6d). */
const isFreeQuantity = (subscription: Subscription, target: ChangeTarget): boolean =>
  target.productId === subscription.productId &&
  subscription.amount === 0 &&
  target.amount === 0 &&
  samePeriod(subscription, target);

/**
 * Decides the change of a Subscription's Product or quantity without writing it (rules P1–P9), also for a preview
 * (rules P2, P3, P4, P8, X3k, X3l).
 */
export function planChange(subscription: Subscription, facts: ChangeFacts): ChangePlan {
  const { target, behavior, undo } = facts;
  const refused = refusal(subscription, undo);
  if (refused) return { refusal: refused };
  const undone = {
    ...(undo && subscription.cancelAtPeriodEnd ? NO_CANCELLATION : {}),
    ...withoutPrice(subscription, facts),
  };
  const { pendingChange } = subscription;
  if (isCurrent(subscription, target))
    return silentlyIfAny({ ...undone, ...(pendingChange && { pendingChange: null }) });
  if (behavior === "next_period" && pendingChange !== null && isPending(pendingChange, target))
    return silentlyIfAny(undone);
  if (behavior !== "next_period" && subscription.pause !== null) return { refusal: pausedRefusal(subscription) };
  if (behavior !== "next_period" && subscription.status === "past_due") return { refusal: "subscription_past_due" };
  if (behavior !== "next_period" && facts.hasOpenInvoice) return { refusal: "invoice_open" };
  const { productId, amount: price } = target;
  if (!facts.hasCard && !isFreeForEver({ productId, price }, nextDiscountOf(subscription)))
    return { refusal: "payment_method_required" };
  const product = {
    productId: target.productId,
    groupKey: target.groupKey,
    amount: target.amount,
    quantity: target.quantity,
    pendingChange: null,
  };
  if (behavior === "next_period") return schedule(subscription, target, undone);
  if (subscription.status === "trialing") {
    return silently({ ...undone, ...product, interval: target.interval, intervalCount: target.intervalCount });
  }
  if (isFreeQuantity(subscription, target)) return silently({ ...undone, ...product });
  if (subscription.amount > 0 && samePeriod(subscription, target)) {
    const plan = prorate(subscription, facts, { ...undone, ...product });
    return facts.hasCard || sumOf(plan.lines.map(lineTotal)) <= 0 ? plan : { refusal: "payment_method_required" };
  }
  return restart(subscription, facts, { ...undone, ...product });
}

/**
 * Begins a new period now, billed in full. The unused rest of the old period is credited, except with `none`
 * (rule P).
 */
function restart(subscription: Subscription, facts: ChangeFacts, columns: Partial<Subscription>): ChangePlan {
  const { target, now, behavior, timeZone, tax } = facts;
  const period = startPeriods(now, timeZone, target);
  const zones: [string, string] = [subscription.anchorTimeZone, timeZone];
  const turned = turnDiscount(subscription, now, timeZone, { from: now, to: now, zones });
  const { discount } = turned;
  const { productId: id, productName: name, amount: price, quantity, unitName } = target;
  const product = { id, name, price, quantity, unitName, currency: subscription.currency };
  const full = fullLine(product, { start: now, end: period.currentPeriodEnd }, { discount, tax });
  const paid = { paidRate: full.amount - full.discountAmount, paidTax: tax, ...turned };
  const set = { ...columns, ...period, ...paid, periodNumber: subscription.periodNumber + 1 };
  const fromFree = subscription.amount === 0;
  const lines = behavior === "none" && !fromFree ? [full] : [...credit(subscription, facts), full];
  return { set, lines, bill: "now", restarted: true };
}

/** Schedules the change for the end of the period, or for the resume, at today's price (rules P6, S8f). */
function schedule(subscription: Subscription, target: ChangeTarget, undone: Partial<Subscription>): ChangePlan {
  const { productId, productName, groupKey, amount, quantity, unitName, interval, intervalCount } = target;
  const sold = { productId, productName, groupKey, amount, quantity, unitName, interval, intervalCount };
  return silently({ ...undone, pendingChange: { ...sold, effectiveAt: changesAt(subscription) } });
}

/**
 * Changes the Product within the period: the rest of the period is credited at the old rate, and billed at the new rate
 * after discount (rules P, P3, X2).
 */
function prorate(subscription: Subscription, facts: ChangeFacts, set: Partial<Subscription>): BilledPlan {
  const { target, now, behavior, tax } = facts;
  if (behavior === "none") return silently(set);
  const { productId, productName, amount: price, quantity, unitName } = target;
  // The discount is that of the whole period, as in the paid rate: a change there and back comes to 0 (rule X2).
  const span = { start: subscription.currentPeriodStart, end: subscription.currentPeriodEnd };
  const rate = billedOf(price - discountOn(subscription.discount, { productId, price }, span), tax);
  const what = { productId, productName, price, quantity, unitName };
  const lines = [...credit(subscription, facts), ...restLine(subscription, now, what, { kind: "debit", rate, tax })];
  return {
    set: { ...set, paidRate: rate, paidTax: tax },
    lines,
    bill: behavior === "invoice_now" ? "now" : "wait",
    restarted: false,
  };
}

/**
 * The credit for the unused rest of the period, at the rate and with the tax that the period was billed at. The
 * credit never exceeds the amount that refunds and other credits left of the billed line (rule P10).
 */
function credit(subscription: Subscription, { productName, unitName, now, billed }: ChangeFacts): LineDraft[] {
  const { productId, amount: price, quantity } = subscription;
  const what = { productId, productName, price, quantity, unitName };
  const tax = subscription.paidTax;
  const lines = restLine(subscription, now, what, { kind: "credit", rate: Math.max(subscription.paidRate, 0), tax });
  return billed === null ? lines : lines.flatMap((line) => limitCredit(line, billed));
}

function limitCredit(line: LineDraft, { line: { id: creditedLineId }, left }: BilledLine): LineDraft[] {
  const most = mostCredit(left, line.tax);
  if (0 - line.amount <= most) return [{ ...line, creditedLineId }];
  if (most === 0) return [];
  const basis = line.basis?.kind === "credit" ? { ...line.basis, most } : line.basis;
  return [{ ...line, amount: -most, taxAmount: taxOf(-most, line.tax), basis, creditedLineId }];
}

/** The line for the rest of the period at `rate`; no line for an amount of 0. */
function restLine(
  { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd, currency }: Subscription,
  from: Instant,
  { productId, productName, price, ...units }: Units & { productId: string; productName: string; price: number },
  { kind, rate, tax }: { kind: "credit" | "debit"; rate: number; tax: LineTax | null },
): LineDraft[] {
  const worth = restOf(rate, { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd }, from);
  if (worth === 0) return [];
  const amount = kind === "credit" ? -worth : worth;
  const basis = { kind, rate, price, from, periodStart, periodEnd, ...basisUnits(units) };
  const description = descriptionOf(titleOf({ productName, basis })!, currency);
  const what = { productId, productName, description };
  const amounts = { amount, discountAmount: 0, taxAmount: taxOf(amount, tax), tax };
  return [{ ...what, ...amounts, proration: true, periodStart: from, periodEnd, basis, creditedLineId: null }];
}
