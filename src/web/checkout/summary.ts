import { html } from "hono/html";
import { formatDate } from "../../domain/calendar.ts";
import { linkTo, safeUrl } from "../components/link.ts";
import { merchantName, type Html } from "../layout.ts";
import type { View } from "./view.ts";

/** What is bought, what it costs now, and what it will cost later. */
export function summary(view: View): Html {
  const { organization, checkout, product, benefits, terms } = view;
  const back = safeUrl(checkout.cancelUrl);
  return html`<section class="summary" aria-labelledby="product">
<div class="column">
${merchantName(organization)}
<h1 id="product"><bdi>${checkout.productName}</bdi></h1>
<p class="price">${terms.headline} <span>${terms.beside}</span></p>
${product.description === null ? "" : html`<p class="description" dir="auto">${product.description}</p>`}
${benefits.length === 0 ? "" : html`<ul class="benefits">${benefits.map(({ name }) => html`<li><bdi>${name}</bdi></li>`)}</ul>`}
<dl class="figures due"><div><dt>Due today</dt><dd>${terms.today}</dd></div></dl>
${terms.later === null ? "" : html`<p class="later">${terms.later}${checkout.trialDays === null ? "" : " Nothing is charged today."}</p>`}
<p class="aside">This page can be used until ${formatDate(checkout.expiresAt, organization.timeZone)}.</p>
${back === null ? "" : html`<p class="aside">${linkTo(back, "Back to", "plain")}</p>`}
</div>
</section>`;
}
