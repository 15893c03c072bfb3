import type { CustomerBilling } from "../billing/customer-billing.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import type { EnteredOrOnFile } from "../collection/new-card.ts";
import { cardNeed, type Checkout } from "../model/checkout.ts";
import type { PaymentMethod } from "../model/payment.ts";
import type { EnteredCard } from "../model/payment-outcome.ts";
import type { Subscription } from "../model/subscription.ts";

/** The card on file, if its id is among these: a bank asked about the card when it was charged for this change. */
type OnFile = { challenged: readonly string[] };

/** A card that the buyer has just given for a change, or the card on file. */
export type ChangeCard = EnteredCard | OnFile;

/** Whether a bank's question about a card is the last event of a Checkout's change, and the change needs a charge. */
export const isCardChallenged = (checkout: Checkout): boolean =>
  checkout.lastPaymentError?.code === "authentication_failed" && cardNeed(checkout) === "charge";

/** The card, if its id is among these: a bank asked about the card when it was charged for this change (rule P1). */
export const challengedCard = (card: PaymentMethod | null, { challenged }: OnFile): PaymentMethod | null =>
  card && challenged.includes(card.id) ? card : null;

/** The card that pays. Null: no card was given, or the card on file is another one by now. */
export function cardForChange(
  billing: Pick<CustomerBilling, "cards" | "customer" | "disputes" | "payments">,
  subscription: Subscription,
  card: ChangeCard | null,
): EnteredOrOnFile | null {
  if (!card || !("challenged" in card)) return card;
  return challengedCard(unhinderedCardOf(billing, subscription), card);
}
