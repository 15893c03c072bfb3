import { html } from "hono/html";
import { isHosted, type Payment } from "../../domain/model/payment.ts";
import type { HostedPageEntry } from "../../payments/provider.ts";
import { nextActionOf } from "../../resources/payment.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import { safeUrl } from "./link.ts";

/**
 * Tells the buyer, before the button, that the next page is one of the provider. `savedAt`: the card is saved without a
 * charge today. `enteredAt`: other words of the page tell about charges.
 */
export function hostedLine({ card }: Words, { name }: HostedPageEntry, use: "paidAt" | "savedAt" | "enteredAt"): Html {
  const text = card[use];
  return html`<p class="hosted">${text.markup({ provider: html`<bdi>${name}</bdi>` })}</p>`;
}

/** The provider's page on which the buyer of this payment gives a card; null: no such page waits. */
export function hostedPage(payment: Payment | null): URL | null {
  return payment && isHosted(payment) ? safeUrl(nextActionOf(payment)?.url ?? null) : null;
}

/**
 * The address after a submission. The provider's page comes at once if the policy of our page lets a form lead there;
 * a browser would stop any other redirect without a word. Otherwise the buyer gets a link on our own page, `self`.
 */
export function afterSubmission(payment: Payment | null, entry: HostedPageEntry | null, self: string): string {
  const page = hostedPage(payment);
  return page && page.origin === entry?.origin ? page.href : self;
}
