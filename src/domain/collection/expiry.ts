import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";
import { BOOKS, keyOf } from "../billing/parts.ts";
import { recordCard } from "../billing/record.ts";
import { queueEmail } from "../billing/record-event.ts";
import { addDays24, endOfMonth, type Instant } from "../calendar.ts";
import { isFreeForEver } from "../model/discount.ts";
import type { Subscription } from "../model/subscription.ts";
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

/** Whether the Subscription is charged for later periods, unless the balance settles them. */
function isChargedLater({ cancelAtPeriodEnd, productId, amount: price, discount, pendingChange }: Subscription) {
  if (cancelAtPeriodEnd) return false;
  return !isFreeForEver({ productId, price }, discount) || (pendingChange !== null && pendingChange.amount > 0);
}

/** The Subscriptions that are charged to the Customer's cards later, by the id of the card (rule D11b). */
export function goingOnWith(account: Account): ReadonlyMap<string, Subscription[]> {
  const by = new Map<string, Subscription[]>();
  for (const subscription of liveSubscriptions(account).filter(isChargedLater)) {
    const card = cardOf(account, subscription);
    if (card) by.getOrInsertComputed(card.id, () => []).push(subscription);
  }
  return by;
}

/** Whether the Customer's cards are loaded. They are loaded now if the decision has changed a Subscription. */
export function knowsCards(account: Account): boolean {
  const { inserted, updated } = account.subscriptions.changes();
  if (inserted.length + updated.length > 0) account.need(BOOKS);
  return account.loaded.parts.has(keyOf(BOOKS));
}

/** The Customer's cards whose expiry is to be announced by `until`. */
export const cardsDue = (account: Account, until: Instant): PaymentMethod[] =>
  account.loaded.parts.has(keyOf(BOOKS)) ? account.cards.where(({ dueAt }) => dueAt !== null && dueAt <= until) : [];

/** Announces the expiry of a card, unless no Subscription goes on with the card (rules D11c, D11d, D11f). */
export function announceExpiry(account: Account, card: PaymentMethod, at: Instant): void {
  const [subscription] = goingOnWith(account).get(card.id) ?? [];
  const ends = expiresAt(card, account.organization.timeZone);
  if (!subscription || ends === null) {
    account.cards.put({ ...card, dueAt: null });
    return;
  }
  const type = "payment_method.expiring";
  const announced = { ...card, dueAt: null, expiryAnnounced: true };
  recordCard(account, announced, type, at, isCardDisputed(account, card));
  queueEmail(account, { type, subscription, expiresAt: ends }, at);
}
