import type { Account } from "../account/account.ts";
import { recordSubscription } from "../account/record.ts";
import { challengeEndsAt, hostedPageEndsAt, reopened, type Checkout } from "./checkout.ts";
import { releaseDiscount } from "../discount/reserve.ts";
import type { Change } from "../subscription/frozen-plan.ts";
import { keepCardOfChange } from "../payment/new-card.ts";
import type { FailureCode } from "../payment/outcome.ts";
import { isCharge, isHosted, type Payment } from "../payment/payment.ts";
import { applyChange } from "../subscription/apply-change.ts";
import { completeCheckout } from "./complete.ts";
import { findSubscription } from "../subscription/find.ts";
import { recordCheckout } from "./record.ts";

/** Applies the outcome of a payment to its submitted Checkout. */
export function settleCheckout(account: Account, payment: Payment): void {
  account.need({ part: "checkout", id: payment.sourceId });
  const checkout = account.checkouts.get(payment.sourceId);
  if (!checkout || checkout.status !== "processing") throw new Error(`checkout ${payment.sourceId} is not being paid`);
  if (payment.status === "requires_action") {
    const dueAt = isHosted(payment) ? hostedPageEndsAt(checkout) : challengeEndsAt(checkout);
    recordCheckout(account, { ...checkout, dueAt }, null, account.now);
  } else if (payment.status === "failed") failCheckout(account, checkout, payment.failureCode as FailureCode);
  else (checkout.change ? completeChange : completeCheckout)(account, checkout, payment);
}

function failCheckout(account: Account, checkout: Checkout, code: FailureCode): void {
  const at = account.now;
  if (checkout.change) releaseChange(account, checkout, "dropped");
  else if (checkout.discount) releaseDiscount(account, checkout.discount.id, checkout.id);
  const next = reopened(checkout, code, at);
  const failed = recordCheckout(account, { ...next, status: "open" }, "checkout.payment_failed", at);
  if (next.status === "expired") recordCheckout(account, { ...failed, status: "expired" }, "checkout.expired", at);
}

/**
 * Settles the pending change as applied or dropped, and releases its Subscription (rule P1). From now on the
 * Subscription's due work is carried out again.
 */
function releaseChange(account: Account, checkout: Checkout, status: "applied" | "dropped"): Change {
  const [change] = account.changes.where((each) => each.checkoutId === checkout.id && each.status === "pending");
  const subscription = change && findSubscription(account, change.subscriptionId);
  if (!change || !subscription) throw new Error(`checkout ${checkout.id} changes nothing`);
  account.changes.put({ ...change, status, settledAt: account.now });
  recordSubscription(account, { ...subscription, changeId: null }, null, account.now);
  return change;
}

/**
 * Applies the change of a paid Checkout as of the instant at which it was decided (rules C6, P1). The card that paid is
 * kept.
 */
export function completeChange(account: Account, checkout: Checkout, payment: Payment | null): Checkout {
  const change = releaseChange(account, checkout, "applied");
  if (payment) keepCardOfChange(account, account.subscriptions.get(change.subscriptionId)!, payment);
  const paying = payment && isCharge(payment) ? payment : null;
  const subscription = account.subscriptions.get(change.subscriptionId)!;
  const { bill } = applyChange(account, subscription, change.plan, paying, change.decidedAt);
  const completed = { status: "completed", completedAt: account.now, dueAt: null, lastPaymentError: null } as const;
  const invoiceId = bill?.invoice.id ?? null;
  return recordCheckout(account, { ...checkout, ...completed, invoiceId }, "checkout.completed", account.now);
}
