import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { freeIn } from "../balance/quote.ts";
import type { Instant } from "../calendar.ts";
import { openInvoicesOf, waitingLines } from "../invoice/bills.ts";
import type { Amount } from "../money.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";
import { previewRenewal } from "./preview-renewal.ts";
import { collectOwed } from "../collection/failure.ts";
import { makeNextInvoice } from "../collection/next-invoice.ts";
import { finishPeriod } from "../collection/renew.ts";
import { recovered } from "../collection/restart.ts";
import { changesAt, endsByPrice, isHeldForImport, isStalled, type Subscription } from "../model/subscription.ts";

/**
 * The invoice that the end of a Subscription's period makes, or the planned resume of a pause, and the charge of this
 * invoice.
 */
export type PeriodEnd = {
  at: Instant;
  /** `last`: the Subscription ends, and lines that wait are billed (rule S4). */
  kind: "renewal" | "last";
  totalAmount: Amount;
  amountDue: Amount;
  /** The part of the total that credit on the balance pays. */
  fromBalance: Amount;
  /** `credit`: the total is below zero, and goes to the balance. */
  paidBy: "charge" | "balance" | "credit" | "nothing";
  /** The card that is charged; null: there is no card that may be charged. */
  card: PaymentMethod | null;
  /** Whether a dispute holds that card back (rule D6). */
  isCardDisputed: boolean;
  /** Whether the Subscription ends instead, because a trial has no card (rule C2). */
  endsInstead: boolean;
};

function renewalOf(billing: CustomerBilling, subscription: Subscription): PeriodEnd {
  const isPausing = subscription.pause !== null;
  const current = subscription.grantsSuspended && !isPausing ? recovered(subscription) : subscription;
  const { totalAmount, amountDue, paidBy, card, isCardDisputed } = previewRenewal(billing, current);
  const endsInstead = !isPausing && current.status === "trialing" && paidBy === "charge" && card === null;
  const at = changesAt(subscription);
  // An amount between two steps of the provider is left for a later invoice, also without any credit (rule M5d).
  const fromBalance = Math.max(Math.min(freeIn(billing, current.currency), totalAmount - amountDue), 0);
  return { at, kind: "renewal", totalAmount, amountDue, fromBalance, paidBy, card, isCardDisputed, endsInstead };
}

/** The last invoice; null: there is none, or the invoice becomes void at once (rule S4). Ends the Subscription. */
export function lastOf(billing: CustomerBilling, subscription: Subscription): PeriodEnd | null {
  const fromBalance = Math.max(freeIn(billing, subscription.currency), 0);
  const bill = finishPeriod(billing, { ...subscription, cancelAtPeriodEnd: true });
  if (!bill || bill.invoice.status === "void") return null;
  const { status, totalAmount, amountDue } = bill.invoice;
  const paidBy = status === "open" ? "charge" : totalAmount < 0 ? "credit" : totalAmount > 0 ? "balance" : "nothing";
  const card = unhinderedCardOf(billing, subscription);
  const at = changesAt(subscription);
  return {
    at,
    kind: "last",
    totalAmount,
    amountDue,
    fromBalance: Math.max(Math.min(fromBalance, totalAmount - amountDue), 0),
    paidBy,
    card,
    isCardDisputed: false,
    endsInstead: false,
  };
}

/** Whether the Subscription ends with its period or its pause, as planned now (rules S1, N6). */
const endsNext = (subscription: Subscription) => subscription.cancelAtPeriodEnd || endsByPrice(subscription);

const settles = (billing: Pick<CustomerBilling, "invoices" | "lines">, subscription: Subscription) =>
  waitingLines(billing, subscription.id).length > 0 ||
  (endsNext(subscription) && openInvoicesOf(billing, subscription.id).length > 0);

/** More Subscriptions than that are each previewed by themselves: each one may need further rows. */
const MOST_IN_ORDER = 5;
/** A plan that is paid by the day may renew very often before another plan does. */
const MOST_STEPS = 40;

/**
 * Plays the ends of the periods in their order, so that an earlier invoice uses the balance before a later one. The
 * periods end in the billing. All currencies are played together, because an end may also free a group (rule C4).
 */
function inOrder(
  billing: CustomerBilling,
  going: readonly Subscription[],
  wanted: ReadonlySet<string>,
): [string, PeriodEnd][] {
  const found = new Map<string, PeriodEnd | null>();
  let queue = [...going];
  for (let step = 0; step < MOST_STEPS && queue.some(({ id }) => wanted.has(id) && !found.has(id)); step += 1) {
    const subscription = queue.reduce((first, each) => (changesAt(each) < changesAt(first) ? each : first));
    const { id } = subscription;
    if (endsNext(subscription)) found.set(id, lastOf(billing, subscription));
    else {
      if (!found.has(id)) found.set(id, renewalOf(billing, subscription));
      collectOwed(billing, makeNextInvoice(billing, subscription));
    }
    const after = billing.subscriptions.get(id)!;
    queue = queue.flatMap((each) => (each.id !== id ? [each] : after.status === "canceled" ? [] : [after]));
  }
  const late = queue.filter((each) => !found.has(each.id) && !endsNext(each));
  for (const subscription of late) found.set(subscription.id, renewalOf(billing, subscription));
  return [...found].flatMap(([id, end]) => (end ? [[id, end] as const] : [])) as [string, PeriodEnd][];
}

/** Each Subscription by itself: the balance and the other Subscriptions make no difference. */
function alone(billing: CustomerBilling, going: readonly Subscription[]): [string, PeriodEnd][] {
  const renewing = going.filter((each) => !endsNext(each));
  return renewing.map((subscription) => [subscription.id, renewalOf(billing, subscription)]);
}

/**
 * Whether the period ends, or a pause is over, at a known instant (rules D8, S8e). The other system bills the next
 * period of a held Subscription (rule V1).
 */
export const hasNextPeriod = (subscription: Subscription, now: Instant): boolean =>
  subscription.changeId === null &&
  !isHeldForImport(subscription) &&
  (subscription.pause === null ? !isStalled(subscription, now) : subscription.pause.resumesAt !== null);

/** Whether dunning, or the first charge after a resume, suspends the access, and no end is planned. */
export const isSuspended = ({ grantsSuspended, pause, cancelAtPeriodEnd }: Subscription): boolean =>
  grantsSuspended && pause === null && !cancelAtPeriodEnd;

/**
 * The ends of the present periods and pauses of these Subscriptions, by id, if no other event comes before (rule P8).
 * They are decided by the renewal or the resume itself. The invoices of the Customer's Subscriptions use the balance in
 * the order of their days. A Subscription without a further invoice is left out, and so is one whose period is over
 * while access is suspended (rule D8). The call may end periods and pauses in the billing.
 */
export function previewPeriodEnds(
  billing: CustomerBilling,
  subscriptions: readonly Subscription[],
): Map<string, PeriodEnd> {
  const wanted = new Set(subscriptions.map(({ id }) => id));
  const live = liveSubscriptions(billing).filter((each) => hasNextPeriod(each, billing.now));
  const [going, suspended] = [live.filter((each) => !isSuspended(each)), live.filter(isSuspended)];
  const ends = alone(
    billing,
    suspended.filter(({ id }) => wanted.has(id)),
  );
  const isShared = going.some((each) => freeIn(billing, each.currency) !== 0 || settles(billing, each));
  const mine = going.filter(({ id }) => wanted.has(id));
  const isOrdered = isShared && going.length <= MOST_IN_ORDER;
  ends.push(...(isOrdered ? inOrder(billing, going, wanted) : alone(billing, mine)));
  return new Map(ends.filter(([id]) => wanted.has(id)));
}
