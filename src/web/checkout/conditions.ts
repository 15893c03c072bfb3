import { html } from "hono/html";
import { sentences } from "../../texts/phrases.ts";
import { agreement } from "../components/seller-footer.ts";
import type { Html } from "../layout.ts";
import type { View } from "./view.ts";

/**
 * The conditions of the order, below its button: the seller's terms, the charges that the buyer allows, the beginning of
 * the access, and the way to cancel. Japan's law on mail orders asks for the last two before an order.
 */
export function conditions({ words, organization, checkout, benefits, terms }: View): Html[] {
  const { startsAtOnce, cancelAnytime } = words.seller;
  const begins = checkout.change === null && benefits.length > 0 ? startsAtOnce : "";
  const paragraphs = [
    agreement(words, organization),
    terms.consent === null ? "" : html`<bdi>${terms.consent}</bdi>`,
    sentences(words, begins, terms.consent === null ? "" : cancelAnytime),
  ];
  return paragraphs.filter((text) => text !== "").map((text) => html`<p class="consent">${text}</p>`);
}
