import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { isStanding, type Dispute } from "../model/dispute.ts";
import type { Payment, PaymentMethod } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";

type Payable = Pick<Subscription, "paymentMethodId" | "claimed">;

/** The card on file with this id, if it can still be charged. */
function chargeable(account: Account, id: string | null): PaymentMethod | null {
  const method = id === null ? null : account.cards.get(id);
  return method && !method.dead ? method : null;
}

export const isChargeable = (account: Account, id: string | null): boolean => chargeable(account, id) !== null;

/**
 * The card for a Subscription's charges: its own card, else the Customer's default card (rules C12a, C12e, C12f). An
 * unclaimed Subscription is never charged to the default card. Null: there is no card that may be charged.
 */
export function cardOf(account: Account, { paymentMethodId, claimed }: Payable): PaymentMethod | null {
  const own = chargeable(account, paymentMethodId);
  return own ?? (claimed ? chargeable(account, account.customer.defaultPaymentMethodId) : null);
}

/** Whether the card is the Customer's default or a Subscription's own. A card that was just given is not on file yet. */
export const isOnFile = (account: Account, id: string): boolean =>
  account.customer.defaultPaymentMethodId === id ||
  liveSubscriptions(account).some(({ paymentMethodId }) => paymentMethodId === id);

/** Whether a dispute holds the card back. Such a card is charged only in the buyer's presence (rules D6a, D6d, D6h). */
export function isCardDisputed(account: Account, { fingerprint }: PaymentMethod): boolean {
  return disputedCards(account).has(fingerprint);
}

/**
 * As `cardOf`, but null for a card that a dispute holds back: the result may be charged off-session now (rules D6a,
 * D6e).
 */
export function unhinderedCardOf(account: Account, subscription: Payable): PaymentMethod | null {
  const method = cardOf(account, subscription);
  return method && !isCardDisputed(account, method) ? method : null;
}

/** The fingerprints of the Customer's cards that are not charged off-session (rules D6a, D6g). */
export function disputedCards(account: Account): ReadonlySet<string> {
  return new Set(hindering(account).flatMap((dispute) => fingerprintOf(account, dispute) ?? []));
}

/** Clears a card of all disputes up to now: the buyer paid with it in their own presence (rule D6f). */
export function clearDisputedCard(
  account: Account,
  { paymentMethodId }: Pick<Payment, "paymentMethodId">,
  at: Instant,
): void {
  const paying = paymentMethodId === null ? null : account.cards.get(paymentMethodId);
  if (!paying) return;
  for (const dispute of hindering(account)) {
    // The API does not show `cardClearedAt`, so there is no new version and no event.
    if (fingerprintOf(account, dispute) === paying.fingerprint) account.disputes.put({ ...dispute, cardClearedAt: at });
  }
}

const hindering = (account: Account) =>
  account.disputes.where((dispute) => isStanding(dispute) && dispute.cardClearedAt === null);

/** Null for a payment without a card (rule C8): no card is held back. */
function fingerprintOf(account: Account, { id, paymentId }: Dispute): string | null {
  const payment = account.payments.get(paymentId);
  if (payment?.paymentMethodId === null) return null;
  const method = payment && account.cards.get(payment.paymentMethodId);
  if (!method) throw new Error(`the card of dispute ${id} was not loaded`);
  return method.fingerprint;
}
