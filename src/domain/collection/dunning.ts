import type { Account } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { billOf, owedInvoicesOf } from "../invoice/bills.ts";
import { isNewerCard, purposeOfNext, type Payment, type PaymentMethod } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";
import { abandonAttempt, collectInvoice, liveAttempt } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import { chargeFailed } from "./failure.ts";
import { nothingOwed, recover } from "./recovery.ts";

/** Goes on to the next open invoice after one was paid, oldest first (rule D3j). */
export function payNext(account: Account, subscription: Subscription, payment: Payment, at: Instant): void {
  const { purpose, paymentMethodId } = payment;
  const [oldest] = owedInvoicesOf(account, subscription.id);
  if (!oldest) return recover(account, subscription, at, payment);
  const live = liveAttempt(account, oldest.id);
  // A retry that is under way goes on: only the outcome of a retry plans the next retry.
  if (subscription.nextRetryAt === null) {
    if (live?.purpose !== "retry") retryInvoices(account, subscription, at, "retry");
    return;
  }
  const method = cardOf(account, subscription);
  // An operator's charge pays only the requested invoice. If a new card came meanwhile, the next invoice is charged
  // on the new card (rule D3g).
  if (!method || (purpose === "hand" && method.id === paymentMethodId)) return;
  // A live attempt at the next invoice goes on, except a challenge of an older card, which is given up.
  if (live?.status === "requires_action" && isNewer(account, method, live)) return abandonAttempt(account, live, at);
  if (live) return;
  collectInvoice(account, oldest, method, purposeOfNext(purpose), at);
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
function isNewer(account: Account, card: PaymentMethod, attempt: Payment): boolean {
  const { paymentMethodId } = attempt;
  if (paymentMethodId === null) return isNewerCard(orderOf(card), orderOf(attempt));
  return isNewerCard(card, account.cards.get(paymentMethodId)!);
}

/**
 * Makes the attempt for which another attempt was given up: a due retry, or an attempt on a new card. If an operator's
 * request gave the attempt up, no attempt is made here.
 */
export function goOn(account: Account, subscription: Subscription, given: Payment, at: Instant): void {
  if (subscription.nextRetryAt === null) return retryInvoices(account, subscription, at, "retry");
  const method = cardOf(account, subscription);
  // The page's card is not the card on file, and the card on file was tried earlier. So the card on file counts as new
  // only if it was given after the page's card. A buyer who leaves the page is not charged on the card on file.
  const isNew =
    given.purpose === "page"
      ? method !== null && isNewer(account, method, given)
      : method?.id !== given.paymentMethodId;
  if (isNew) retryInvoices(account, subscription, at, "new_card");
}

/**
 * Tries the open invoices after a scheduled retry or a new card, oldest first (rules D3b, D3f). An unsettled attempt,
 * such as a challenge that waits for the buyer, is given up first, so that it can't charge beside the new attempt.
 */
export function retryInvoices(
  account: Account,
  subscription: Subscription,
  at: Instant,
  purpose: "retry" | "new_card",
): void {
  const [oldest] = owedInvoicesOf(account, subscription.id);
  if (!oldest) return nothingOwed(account, subscription, at, purpose);
  const live = liveAttempt(account, oldest.id);
  if (live) return abandonAttempt(account, live, at);
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, oldest, method, purpose, at);
  else if (purpose === "retry") chargeFailed(account, billOf(account, oldest), subscription, { purpose }, at);
}
