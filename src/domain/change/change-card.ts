import type { Account } from "../billing/customer-billing.ts";
import { unhinderedCardOf } from "../payment/card.ts";
import type { EnteredOrKept } from "../collection/new-card.ts";
import type { EnteredCard } from "../model/payment-outcome.ts";
import type { Subscription } from "../model/subscription.ts";

/** The card on file, if its id is among these: a bank asked about the card when it was charged for this change. */
type OnFile = { challenged: readonly string[] };

/** A card that the buyer has just given for a change, or the card on file. */
export type ChangeCard = EnteredCard | OnFile;

/** The card that pays. Null: no card was given, or the card on file is another one by now. */
export function cardForChange(
  account: Account,
  subscription: Subscription,
  card: ChangeCard | null,
): EnteredOrKept | null {
  if (!card || !("challenged" in card)) return card;
  const onFile = unhinderedCardOf(account, subscription);
  return onFile && card.challenged.includes(onFile.id) ? onFile : null;
}
