import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { owedInvoicesOf } from "../invoice/bills.ts";
import { isNewerCard, purposeOfNext, type Payment, type PaymentMethod } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";
import { abandonAttempt, collectInvoice, liveAttempt } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import { chargeInvoice } from "./failure.ts";
import { nothingOwed, recover } from "./recovery.ts";

/** Goes on to the next open invoice after one was paid, oldest first (rule D3j). */
export function payNext(billing: CustomerBilling, subscription: Subscription, payment: Payment, at: Instant): void {
  const { purpose, paymentMethodId } = payment;
  const [oldest] = owedInvoicesOf(billing, subscription.id);
  if (!oldest) return recover(billing, subscription, at, payment);
  const live = liveAttempt(billing, oldest.id);
  // A retry that is under way goes on: only the outcome of a retry plans the next retry.
  if (subscription.nextRetryAt === null) {
    if (live?.purpose !== "retry") retryInvoices(billing, subscription, at, "retry");
    return;
  }
  const method = cardOf(billing, subscription);
  // An operator's charge pays only the requested invoice. If a new card came meanwhile, the next invoice is charged
  // on the new card (rule D3g).
  if (!method || (purpose === "hand" && method.id === paymentMethodId)) return;
  // A live attempt at the next invoice goes on, except a challenge of an older card, which is given up.
  if (live?.status === "requires_action" && isNewer(billing, method, live)) return abandonAttempt(billing, live, at);
  if (live) return;
  collectInvoice(billing, oldest, method, purposeOfNext(purpose), at);
}

/** The part of an id that orders ids of different kinds by their creation. */
const orderOf = ({ id, createdAt }: Pick<Payment, "id" | "createdAt">) => ({
  id: id.slice(id.indexOf("_")),
  createdAt,
});

/**
 * Whether a card was given after the card of an attempt. As long as the buyer has given no card on the provider's page,
 * the beginning of the attempt counts.
 */
function isNewer(billing: Pick<CustomerBilling, "cards">, card: PaymentMethod, attempt: Payment): boolean {
  const { paymentMethodId } = attempt;
  if (paymentMethodId === null) return isNewerCard(orderOf(card), orderOf(attempt));
  return isNewerCard(card, billing.cards.get(paymentMethodId)!);
}

/**
 * Makes the attempt for which another attempt was given up: a due retry, or an attempt on a new card. If an operator's
 * request gave the attempt up, no attempt is made here.
 */
export function goOn(billing: CustomerBilling, subscription: Subscription, given: Payment, at: Instant): void {
  if (subscription.nextRetryAt === null) return retryInvoices(billing, subscription, at, "retry");
  const method = cardOf(billing, subscription);
  // The page's card is not the card on file, and the card on file was tried earlier. So the card on file counts as new
  // only if it was given after the page's card. A buyer who leaves the page is not charged on the card on file.
  const isNew =
    given.purpose === "page"
      ? method !== null && isNewer(billing, method, given)
      : method?.id !== given.paymentMethodId;
  if (isNew) retryInvoices(billing, subscription, at, "new_card");
}

/**
 * Tries the open invoices after a scheduled retry or a new card, oldest first (rules D3b, D3f). An unsettled attempt,
 * such as a challenge that waits for the buyer, is given up first, so that it can't charge beside the new attempt.
 */
export function retryInvoices(
  billing: CustomerBilling,
  subscription: Subscription,
  at: Instant,
  purpose: "retry" | "new_card",
): void {
  const [oldest] = owedInvoicesOf(billing, subscription.id);
  if (!oldest) return nothingOwed(billing, subscription, at, purpose);
  const live = liveAttempt(billing, oldest.id);
  if (live) return abandonAttempt(billing, live, at);
  const method = cardOf(billing, subscription);
  if (method || purpose === "retry") chargeInvoice(billing, oldest, subscription, { method, purpose }, at);
}
