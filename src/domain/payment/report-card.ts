import type { Account } from "../account/account.ts";
import type { Card } from "./outcome.ts";
import { snapshotOf } from "./payment.ts";

/**
 * Books a change that a bank made to a card on file. A replaced card keeps its id, so that Subscriptions go on with it.
 * `card` null: the card can't be charged any more (rule D3e).
 */
export function reportCard(account: Account, id: string, card: Card | null): void {
  const method = account.cards.get(id);
  // The references of a deleted Customer's cards are removed, so that no fact finds them any more.
  if (!method) return;
  if (card === null) return account.cards.put({ ...method, dead: true });
  const { ref: providerRef, fingerprint } = card;
  account.cards.put({ ...method, ...snapshotOf(card), providerRef, fingerprint });
}
