import { html } from "hono/html";
import type { Product } from "../../domain/model/product.ts";
import { cardNeed, dueToday, type Checkout } from "../../domain/model/checkout.ts";
import { displayName } from "../../domain/model/organization.ts";
import { benefitName, sentences, unitsAtTotal } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { linkTo, safeUrl } from "../components/link.ts";
import { countedName } from "../components/sold-name.ts";
import { merchantName, type Html } from "../layout.ts";
import { changeFigures, changeNotes } from "./change-figures.ts";
import type { Terms } from "./terms.ts";
import type { View } from "./view.ts";

/**
 * The parts of a Checkout's page that the summary shows. The dashboard draws the summary of a Product before its sale.
 */
export type Summarized = Pick<View, "words" | "organization" | "benefits" | "quote" | "terms"> & {
  checkout: Checkout;
  product: Pick<Product, "description">;
};

/** The Product, or the change to it. */
function nameOf({ words, checkout, quote }: Summarized): Html {
  const product = html`<bdi>${checkout.productName}</bdi>`;
  return quote ? words.checkout.changeTo.markup({ product }) : product;
}

/** The headline, with the amount apart from the words about its tax. */
const headlineParts = ({ terms }: Words, { headline, beforeTax }: Terms): Html | string =>
  beforeTax === null ? headline : terms.plusTax.markup({ amount: html`<b>${beforeTax}</b>` });

/** The amount due today, or the length of a trial, in large letters. */
export function priceLine(words: Words, terms: Terms): Html {
  const { beside } = terms;
  return html`<p class="price">${headlineParts(words, terms)}${beside === "" ? "" : html` <span>${beside}</span>`}</p>`;
}

/** The units with the price of one (rule Q5). `part`: the name of the element for pages.js. */
function unitsLine({ words, checkout }: Summarized, part: string): Html | "" {
  const units = unitsAtTotal(words, checkout, checkout.currency);
  return units === null ? "" : html`<span class="units" data-part="${part}">${units}</span>`;
}

/** The amount due today, and the charges after today. */
function headlineOf(view: Summarized): Html {
  const sequel = later(view);
  return html`${priceLine(view.words, view.terms)}
${sequel === null ? "" : html`<p class="later">${sequel}</p>`}`;
}

/** The Product that a change leaves. */
function origin({ words, quote }: Summarized): Html | "" {
  if (!quote) return "";
  const product = countedName(words, { productName: quote.currentProductName, ...quote.currentUnits });
  return html`<p class="aside">${words.checkout.currentPlan.markup({ product })}</p>`;
}

/**
 * The charges after today. For a trial, or a first period that a discount pays in full, the text adds that today is
 * free.
 */
function later(view: Summarized): Html | string | null {
  const { words, checkout, terms } = view;
  const need = cardNeed(checkout);
  const isFreeToday = dueToday(checkout) === 0 && (need === "save" || need === "optional");
  return terms.sequel === null || !isFreeToday
    ? terms.sequel
    : sentences(words, terms.sequel, words.terms.notChargedToday);
}

/** The note on a sale that the balance settles in full (rule C7). */
function balanceNote({ words, checkout }: Summarized): string[] {
  const isSettled = dueToday(checkout) === 0 && !!checkout.settlement?.balanceApplied;
  return isSettled ? [words.terms.balancePays] : [];
}

/** The amount due today, the figures that lead to it, and the charges after today. */
function amounts(view: Summarized): Html {
  const { words, organization, quote, terms } = view;
  const figures = quote ? changeFigures(words, quote, organization.timeZone) : terms.figures;
  const taxNotes = terms.taxNote === null ? [] : [terms.taxNote];
  const notes = quote ? changeNotes(words, quote, organization.timeZone) : [...taxNotes, ...balanceNote(view)];
  const row = ({ label, amount }: (typeof figures)[number]) =>
    html`<div><dt>${label}</dt><dd class="amount">${amount}</dd></div>`;
  return html`${figures.length === 0 ? "" : html`<dl class="figures">${figures.map(row)}</dl>`}
<dl class="figures total"><div><dt>${words.checkout.dueToday}</dt><dd class="amount">${terms.today}</dd></div></dl>
${notes.map((note) => html`<p class="later">${note}</p>`)}`;
}

/**
 * The line that stands for the whole summary on a phone, with the Product and the amount due. The content follows the
 * `<details>` and is no part of it: so a wide screen shows the content in any state, without a script.
 */
const fold = (view: Summarized) => html`<details class="fold"><summary>
<span class="fold-name">${nameOf(view)}${unitsLine(view, "folded-units")}</span>
<strong data-part="due">${headlineParts(view.words, view.terms)}</strong>
</summary></details>`;

/** The purchase, its price now, and its price later. */
export function summary(view: Summarized): Html {
  const { words, organization, checkout, product, benefits } = view;
  const until = words.day(checkout.expiresAt, organization.timeZone);
  const back = safeUrl(checkout.cancelUrl);
  const names = benefits.map((benefit) => html`<li><bdi>${benefitName(words, benefit, checkout.quantity)}</bdi></li>`);
  return html`<section class="summary" aria-labelledby="product">
<div class="column">
${merchantName(organization)}
<h1 id="product">${nameOf(view)}</h1>
${fold(view)}
<div class="folded">
${unitsLine(view, "units")}
<div data-part="headline">${headlineOf(view)}</div>
${origin(view)}
${product.description === null ? "" : html`<p class="description" dir="auto">${product.description}</p>`}
${names.length === 0 ? "" : html`<ul class="benefits" data-part="benefits">${names}</ul>`}
<div data-part="amounts">${amounts(view)}</div>
<p class="aside">${words.checkout.usableUntil({ day: until })}</p>
${back === null ? "" : html`<p class="aside">${linkTo(back, words.frame.back, displayName(organization), "plain")}</p>`}
</div>
</div>
</section>`;
}
