import { html } from "hono/html";
import {
  titleOfDocument,
  type BillingDocument,
  type DocumentLine,
  type DocumentTotal,
  type Fact,
  type IssuedDocument,
  type Movement,
  type PartyBlock,
} from "../../documents/billing-document.ts";
import { wordsFor, type Words } from "../../texts/words.ts";
import { cardBrand } from "../components/card-brand.ts";
import { pathOf } from "../components/link.ts";
import { merchantName, type Html } from "../layout.ts";

function fact({ name, value, url }: Fact): Html {
  const shown = url === undefined ? value : html`<a href="${pathOf(url)}">${value}</a>`;
  return html`<div><dt>${name}</dt><dd>${shown}</dd></div>`;
}

function party({ heading, name, lines }: PartyBlock): Html {
  return html`<section>
<h2>${heading}</h2>
<p><strong><bdi>${name}</bdi></strong></p>
${lines.map((line) => html`<p><bdi>${line}</bdi></p>`)}
</section>`;
}

const note = (parts: (Html | string)[]) =>
  parts.length === 0
    ? ""
    : html`<span class="note">${parts.map((part, n) => html`${n === 0 ? "" : " · "}<bdi>${part}</bdi>`)}</span>`;

/** On a phone, the cells of a line stand below each other, and each figure has its column's name before it. */
function billedLine({ description, notes, quantity, unitPrice, tax, amount }: DocumentLine, words: Words["document"]) {
  const figure = (name: string, value: string) =>
    html`<td role="cell" class="figure" data-name="${name}">${value || "–"}</td>`;
  return html`<tr role="row">
<td role="cell" class="what"><bdi>${description}</bdi>${note(notes)}</td>
${figure(words.quantity, quantity)}${figure(words.unitPrice, unitPrice)}${figure(words.tax, tax)}
<td role="cell" class="amount">${amount}</td>
</tr>`;
}

/** A browser forgets that a table is one if its rows are laid out anew. The roles keep it a table. */
function billedLines(lines: readonly DocumentLine[], words: Words["document"]): Html {
  const { description, quantity, unitPrice, tax, amount } = words;
  const head = (text: string, kind: string) => html`<th role="columnheader" scope="col" class="${kind}">${text}</th>`;
  return html`<table class="lines" role="table">
<thead role="rowgroup"><tr role="row">
${head(description, "what")}${[quantity, unitPrice, tax].map((text) => head(text, "figure"))}${head(amount, "amount")}
</tr></thead>
<tbody role="rowgroup">${lines.map((line) => billedLine(line, words))}</tbody>
</table>`;
}

function total({ name, value, strong }: DocumentTotal): Html {
  const looks = strong ? html`class="strong"` : "";
  return html`<tr ${looks}><th scope="row">${name}</th><td class="amount">${value}</td></tr>`;
}

function movement({ date, how, brand, note: more, document, amount }: Movement): Html {
  const linked = document ? [html`<a href="${pathOf(document.url)}">${document.title}</a>`] : [];
  const notes = [date, ...linked, ...(more === null ? [] : [more])];
  const sign = brand === null ? "" : html`${cardBrand(brand)} `;
  return html`<tr><td>${sign}${how}${note(notes)}</td><td class="amount">${amount}</td></tr>`;
}

function movements({ heading, rows }: BillingDocument["movements"], { amount }: Words["document"]): Html | "" {
  if (rows.length === 0) return "";
  return html`<table>
<thead><tr><th scope="col">${heading}</th><th scope="col" class="amount">${amount}</th></tr></thead>
<tbody>${rows.map(movement)}</tbody>
</table>`;
}

/** An invoice or a credit note, with the content of its PDF. */
export function documentArticle({ organization, document }: IssuedDocument): Html {
  const { kind, status, facts, seller, buyer, lines, totals, notes } = document;
  const { document: words } = wordsFor(document.locale);
  return html`<article class="paper" aria-label="${titleOfDocument(document)}">
<header>
${merchantName(organization)}
<h1>${kind}</h1>
<p class="state ${status.tone}">${status.text}</p>
</header>
<dl class="facts">${facts.map(fact)}</dl>
<div class="parties">${party(seller)}${party(buyer)}</div>
${billedLines(lines, words)}
<table class="totals"><tbody>${totals.map(total)}</tbody></table>
${movements(document.movements, words)}
${notes.map((remark) => html`<p class="remark">${remark}</p>`)}
</article>`;
}

/** The page of a document. `pdf`: the path of the PDF; `portal`: that of the portal; `above`: content before it. */
export function documentPage(
  issued: IssuedDocument,
  { pdf, portal }: { pdf: string; portal: string },
  above: Html | null = null,
): Html {
  const { document: words, mailReceipt } = wordsFor(issued.document.locale);
  return html`<main class="document">
${above ?? ""}
${documentArticle(issued)}
<a class="${above === null ? "button" : "button other"}" href="${pdf}">${words.openPdf}</a>
<a class="button other" href="${portal}">${mailReceipt.account}</a>
</main>`;
}
