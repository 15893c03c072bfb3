import { liveSubscriptions, type CustomerBilling, type CardRows } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { isStanding, type Dispute } from "../model/dispute.ts";
import type { Payment, PaymentMethod } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";

type Payable = Pick<Subscription, "paymentMethodId" | "claimed">;

/** The card on file with this id, if it can still be charged. */
function chargeable(billing: Pick<CustomerBilling, "cards">, id: string | null): PaymentMethod | null {
  const method = id === null ? null : billing.cards.get(id);
  return method && !method.dead ? method : null;
}

export const isChargeable = (billing: Pick<CustomerBilling, "cards">, id: string | null): boolean =>
  chargeable(billing, id) !== null;

/**
 * The card for a Subscription's charges: its own card, else the Customer's default card (rules C12a, C12e, C12f). An
 * unclaimed Subscription is never charged to the default card. Null: there is no card that may be charged.
 */
export function cardOf(billing: CardRows, { paymentMethodId, claimed }: Payable): PaymentMethod | null {
  const own = chargeable(billing, paymentMethodId);
  return own ?? (claimed ? chargeable(billing, billing.customer.defaultPaymentMethodId) : null);
}

/**
 * Whether the card is the Customer's default or a Subscription's own. A card that was just given is not on file yet.
 */
export const isOnFile = (billing: Pick<CustomerBilling, "customer" | "subscriptions">, id: string): boolean =>
  billing.customer.defaultPaymentMethodId === id ||
  liveSubscriptions(billing).some(({ paymentMethodId }) => paymentMethodId === id);

/** Whether a dispute holds the card back. Such a card is charged only in the buyer's presence (rules D6a, D6d, D6h). */
export function isCardDisputed(
  billing: Pick<CustomerBilling, "cards" | "disputes" | "payments">,
  { fingerprint }: PaymentMethod,
): boolean {
  return disputedCards(billing).has(fingerprint);
}

/**
 * As `cardOf`, but null for a card that a dispute holds back: the result may be charged off-session now (rules D6a,
 * D6e).
 */
export function unhinderedCardOf(
  billing: Pick<CustomerBilling, "cards" | "customer" | "disputes" | "payments">,
  subscription: Payable,
): PaymentMethod | null {
  const method = cardOf(billing, subscription);
  return method && !isCardDisputed(billing, method) ? method : null;
}

/** The fingerprints of the Customer's cards that are not charged off-session (rules D6a, D6g). */
export function disputedCards(billing: Pick<CustomerBilling, "cards" | "disputes" | "payments">): ReadonlySet<string> {
  return new Set(hindering(billing).flatMap((dispute) => fingerprintOf(billing, dispute) ?? []));
}

/** Clears a card of all disputes up to now: the buyer paid with it in their own presence (rule D6f). */
export function clearDisputedCard(
  billing: Pick<CustomerBilling, "cards" | "disputes" | "payments">,
  { paymentMethodId }: Pick<Payment, "paymentMethodId">,
  at: Instant,
): void {
  const paying = paymentMethodId === null ? null : billing.cards.get(paymentMethodId);
  if (!paying) return;
  for (const dispute of hindering(billing)) {
    // The API does not show `cardClearedAt`, so there is no new version and no event.
    if (fingerprintOf(billing, dispute) === paying.fingerprint) billing.disputes.put({ ...dispute, cardClearedAt: at });
  }
}

const hindering = (billing: Pick<CustomerBilling, "disputes">) =>
  billing.disputes.where((dispute) => isStanding(dispute) && dispute.cardClearedAt === null);

/** Null for a payment without a card (rule C8): no card is held back. */
function fingerprintOf(
  billing: Pick<CustomerBilling, "cards" | "payments">,
  { id, paymentId }: Dispute,
): string | null {
  const payment = billing.payments.get(paymentId);
  if (payment?.paymentMethodId === null) return null;
  const method = payment && billing.cards.get(payment.paymentMethodId);
  if (!method) throw new Error(`the card of dispute ${id} was not loaded`);
  return method.fingerprint;
}
