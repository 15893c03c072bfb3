import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { OPEN_ITEMS, keyOf } from "../billing/parts.ts";
import { recordCard, queueEmail } from "../billing/record.ts";
import { addDays24, endOfMonth, type Instant } from "../calendar.ts";
import { isFreeForEver } from "../model/discount.ts";
import { nextDiscountOf } from "../model/discount-change.ts";
import { isHeldForImport, nextPeriodAt, type Subscription } from "../model/subscription.ts";
import { cardOf, isCardDisputed } from "../payment/card.ts";
import type { PaymentMethod } from "../model/payment.ts";

export const EXPIRY_NOTICE_DAYS = 30;

type Expiry = Pick<PaymentMethod, "expMonth" | "expYear">;

/** The end of the card's last month in the zone; null beyond the calendar (rule D11a). */
export const expiresAt = ({ expMonth, expYear }: Expiry, zone: string): Instant | null =>
  endOfMonth(expYear, expMonth, zone);

/**
 * The instant of the announcement, which may be past (rules D11a, D11e). Null: the card has expired, or never expires.
 */
export function announcedAt(card: Expiry, zone: string, now: Instant): Instant | null {
  const ends = expiresAt(card, zone);
  return ends === null || ends <= now ? null : addDays24(ends, -EXPIRY_NOTICE_DAYS);
}

/**
 * Whether the Subscription is charged for later periods, unless the balance settles them. A held one is charged by
 * another system (rule V1).
 */
function isChargedLater(subscription: Subscription) {
  const { cancelAtPeriodEnd, productId, amount: price, pendingChange, priceChange } = subscription;
  if (isHeldForImport(subscription) || cancelAtPeriodEnd || nextPeriodAt(subscription) === null) return false;
  const [pending, waiting] = [pendingChange?.amount ?? 0, priceChange?.unitAmount ?? 0];
  return !isFreeForEver({ productId, price }, nextDiscountOf(subscription)) || pending > 0 || waiting > 0;
}

/** The Subscriptions that are charged to the Customer's cards later, by the id of the card (rule D11b). */
export function goingOnWith(
  billing: Pick<CustomerBilling, "cards" | "customer" | "subscriptions">,
): ReadonlyMap<string, Subscription[]> {
  const by = new Map<string, Subscription[]>();
  for (const subscription of liveSubscriptions(billing).filter(isChargedLater)) {
    const card = cardOf(billing, subscription);
    if (card) by.getOrInsertComputed(card.id, () => []).push(subscription);
  }
  return by;
}

/** Whether the Customer's cards are loaded. They are loaded now if the decision has changed a Subscription. */
export function knowsCards(billing: Pick<CustomerBilling, "loaded" | "need" | "subscriptions">): boolean {
  const { inserted, updated } = billing.subscriptions.changes();
  if (inserted.length + updated.length > 0) billing.need(OPEN_ITEMS);
  return billing.loaded.parts.has(keyOf(OPEN_ITEMS));
}

/** The Customer's cards whose expiry is to be announced by `until`. */
export const cardsDue = (billing: Pick<CustomerBilling, "cards" | "loaded">, until: Instant): PaymentMethod[] =>
  billing.loaded.parts.has(keyOf(OPEN_ITEMS))
    ? billing.cards.where(({ dueAt }) => dueAt !== null && dueAt <= until)
    : [];

/** Announces the expiry of a card, unless no Subscription goes on with the card (rules D11c, D11d, D11f). */
export function announceExpiry(billing: CustomerBilling, card: PaymentMethod, at: Instant): void {
  const [subscription] = goingOnWith(billing).get(card.id) ?? [];
  const ends = expiresAt(card, billing.organization.timeZone);
  if (!subscription || ends === null) {
    billing.cards.put({ ...card, dueAt: null });
    return;
  }
  const type = "payment_method.expiring";
  const announced = { ...card, dueAt: null, expiryAnnounced: true };
  recordCard(billing, announced, type, at, isCardDisputed(billing, card));
  queueEmail(billing, { type, subscription, expiresAt: ends }, at);
}
