import { html } from "hono/html";
import { unbrokenCardName } from "../../domain/payment/card-name.ts";
import type { Html } from "../layout.ts";
import type { Account } from "./account.ts";
import { section } from "./section.ts";
import { heldBack } from "./subscriptions.ts";
import type { Visit } from "./visit.ts";

function paidBy(card: Account["card"]): string {
  if (!card) return "There is no card on file.";
  if (card.dead) return `${unbrokenCardName(card)} can't be charged any more.`;
  return card.isDisputed ? `${heldBack(card)}.` : `Charged to ${unbrokenCardName(card)}.`;
}

const changeCard = (card: Account["card"], self: string) =>
  html`<p class="aside"><a href="${self}/card">${card ? "Use another card" : "Add a card"}</a></p>`;

/** The card on file, and the way to another one. */
export function paymentSection({ self }: Visit, { card }: Account): Html {
  return section("card", "Payment", [], paidBy(card), changeCard(card, self));
}
