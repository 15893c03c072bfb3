import { html } from "hono/html";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { sentences } from "../../texts/phrases.ts";
import { agreement } from "../components/seller-footer.ts";
import type { Html } from "../layout.ts";
import type { View } from "./view.ts";

/**
 * The conditions of the order, below its button: the seller's terms, the charges that the buyer allows, the beginning
 * of the access, and the way to cancel (rule C11c). Japan's law on mail orders asks for the last two before an order.
 */
export function conditions({ words, organization, checkout, benefits, terms }: View): Html[] {
  const { startsAtOnce, cancelAnytime, cancelBySeller } = words.seller;
  const seller = html`<bdi>${displayName(organization)}</bdi>`;
  const cancel = portalAllows(organization, "cancel") ? cancelAnytime : cancelBySeller.markup({ seller });
  const begins = checkout.change === null && benefits.length > 0 ? startsAtOnce : "";
  const paragraphs = [
    agreement(words, organization),
    terms.consent === null ? "" : html`<bdi>${terms.consent}</bdi>`,
    sentences(words, begins, terms.consent === null ? "" : cancel),
  ];
  return paragraphs.filter((text) => text !== "").map((text) => html`<p class="consent">${text}</p>`);
}
