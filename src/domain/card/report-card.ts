import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordCard } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { isCardDisputed } from "../payment/card.ts";
import { detachCard } from "./detach-card.ts";
import type { Card } from "../model/payment-outcome.ts";
import { snapshotOf, type PaymentMethod } from "../model/payment.ts";

/**
 * A card on file as its provider has it. `card` null: the card can't be charged any more. `readAt`: real time just
 * before the provider was asked.
 */
export type CardReport = { card: Card | null; readAt: Instant };

/**
 * Books the provider's state of a card on file (rule D10d). A replaced card keeps its id, so that Subscriptions go on
 * with it. A report without a visible change makes no event.
 */
export function reportCard(billing: CustomerBilling, id: string, { card, readAt }: CardReport): void {
  const method = billing.cards.get(id);
  // The references of a deleted Customer's cards are removed, so that no report finds them any more.
  if (!method || method.dead) return;
  if (card === null) return detachCard(billing, method);
  // Two processes may ask the provider at once. The earlier answer may come later, and then counts no more.
  if (method.providerReadAt !== null && readAt < method.providerReadAt) return;
  const { ref: providerRef, fingerprint } = card;
  const isSameExpiry = card.expMonth === method.expMonth && card.expYear === method.expYear;
  const expiry = isSameExpiry ? {} : { dueAt: null, expiryAnnounced: false };
  const known = { providerRef, fingerprint, providerReadAt: readAt };
  const reported = { ...method, ...snapshotOf(card), ...known, ...expiry };
  billing.cards.put(reported);
  if (looksSame(method, reported)) return;
  recordCard(billing, reported, "payment_method.updated", billing.now, isCardDisputed(billing, reported));
}

const looksSame = (one: PaymentMethod, other: PaymentMethod) =>
  JSON.stringify(snapshotOf(one)) === JSON.stringify(snapshotOf(other));
