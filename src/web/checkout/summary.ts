import { html } from "hono/html";
import { cardNeed, dueToday } from "../../domain/checkout/checkout.ts";
import { displayName } from "../../domain/organization/organization.ts";
import { sentences } from "../../texts/phrases.ts";
import { linkTo, safeUrl } from "../components/link.ts";
import { merchantName, type Html } from "../layout.ts";
import { changeFigures, changeNotes } from "./change-figures.ts";
import type { View } from "./view.ts";

function heading({ words, checkout, quote, terms }: View): Html {
  const name = html`<bdi>${checkout.productName}</bdi>`;
  const price = html`<p class="price">${terms.headline} <span>${terms.beside}</span></p>`;
  if (!quote) return html`<h1 id="product">${name}</h1>${price}`;
  const present = html`<bdi>${quote.presentName}</bdi>`;
  const { changeTo, fromTo } = words.checkout;
  return html`<h1 id="product">${changeTo.markup({ product: name })}</h1>${price}
<p class="aside">${fromTo.markup({ present, product: name })}</p>`;
}

/**
 * The charges after today. For a trial, or a first period that a discount pays in full, the text adds that today is
 * free.
 */
function later(view: View): Html | string | null {
  const { words, checkout, terms } = view;
  const need = cardNeed(checkout);
  const isFreeToday = dueToday(checkout) === 0 && (need === "save" || need === "optional");
  return terms.later === null || !isFreeToday
    ? terms.later
    : sentences(words, terms.later, words.terms.notChargedToday);
}

/** The note on a sale that the balance settles in full (rule C7). */
function balanceNote({ words, checkout }: View): string[] {
  const isSettled = dueToday(checkout) === 0 && !!checkout.settlement?.balanceApplied;
  return isSettled ? [words.terms.balancePays] : [];
}

/** The amount due today, the figures that lead to it, and the charges after today. */
function amounts(view: View): Html {
  const { words, organization, quote, terms } = view;
  const figures = quote ? changeFigures(words, quote, organization.timeZone) : terms.figures;
  const taxNotes = terms.taxNote === null ? [] : [terms.taxNote];
  const notes = quote ? changeNotes(words, quote, organization.timeZone) : [...taxNotes, ...balanceNote(view)];
  const sequel = later(view);
  const row = ({ label, amount }: (typeof figures)[number]) =>
    html`<div><dt>${label}</dt><dd class="amount">${amount}</dd></div>`;
  return html`${figures.length === 0 ? "" : html`<dl class="figures">${figures.map(row)}</dl>`}
<dl class="figures total"><div><dt>${words.checkout.dueToday}</dt><dd class="amount">${terms.today}</dd></div></dl>
${notes.map((note) => html`<p class="later">${note}</p>`)}
${sequel === null ? "" : html`<p class="later">${sequel}</p>`}`;
}

/** The purchase, its price now, and its price later. */
export function summary(view: View): Html {
  const { words, organization, checkout, product, benefits } = view;
  const until = words.day(checkout.expiresAt, organization.timeZone);
  const back = safeUrl(checkout.cancelUrl);
  const names = benefits.map(({ name }) => html`<li><bdi>${name}</bdi></li>`);
  return html`<section class="summary" aria-labelledby="product">
<div class="column">
${merchantName(organization)}
${heading(view)}
${product.description === null ? "" : html`<p class="description" dir="auto">${product.description}</p>`}
${names.length === 0 ? "" : html`<ul class="benefits">${names}</ul>`}
<div data-part="amounts">${amounts(view)}</div>
<p class="aside">${words.checkout.usableUntil({ day: until })}</p>
${back === null ? "" : html`<p class="aside">${linkTo(back, words.frame.back, displayName(organization), "plain")}</p>`}
</div>
</section>`;
}
