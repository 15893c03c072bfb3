import type { Account } from "../billing/customer-billing.ts";
import { challengeEndsAt, hostedPageEndsAt, reopened, type Checkout } from "../model/checkout.ts";
import { releaseDiscount } from "../discount/reserve.ts";
import type { FailureCode } from "../model/payment-outcome.ts";
import { isHosted, type Payment } from "../model/payment.ts";
import { completeChange, releaseChange } from "../change/complete-change.ts";
import { completeCheckout } from "../checkout/complete.ts";
import { recordCheckout } from "../checkout/record.ts";

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
