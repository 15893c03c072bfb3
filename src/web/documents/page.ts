import { html } from "hono/html";
import type { BillingDocument, DocumentLine, DocumentTotal, Fact, Movement, PartyBlock } from "../../documents/billing-document.ts";
import { merchantName, type Html } from "../layout.ts";
import type { Organization } from "../../domain/organization.ts";

const fact = ({ name, value }: Fact) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

function party({ heading, name, lines }: PartyBlock): Html {
  return html`<section>
<h2>${heading}</h2>
<p><strong><bdi>${name}</bdi></strong></p>
${lines.map((line) => html`<p><bdi>${line}</bdi></p>`)}
</section>`;
}

function billedLine({ description, notes, amount }: DocumentLine): Html {
  return html`<tr>
<td><bdi>${description}</bdi>${notes.length === 0 ? "" : html`<span class="note"><bdi>${notes.join(" · ")}</bdi></span>`}</td>
<td class="amount">${amount}</td>
</tr>`;
}

function total({ name, value, strong }: DocumentTotal): Html {
  return html`<tr ${strong ? html`class="strong"` : ""}><th scope="row">${name}</th><td class="amount">${value}</td></tr>`;
}

function movement({ date, how, amount }: Movement): Html {
  return html`<tr><td class="date">${date}</td><td>${how}</td><td class="amount">${amount}</td></tr>`;
}

function movements({ heading, rows }: BillingDocument["movements"]): Html | "" {
  if (rows.length === 0) return "";
  return html`<table class="movements">
<thead><tr><th scope="col" class="date">Date</th><th scope="col">${heading}</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>${rows.map(movement)}</tbody>
</table>`;
}

/** An invoice or a credit note as its PDF has it. `pdf`: where that is. */
export function documentPage(organization: Organization, document: BillingDocument, pdf: string): Html {
  const { kind, number, status, facts, seller, buyer, lines, totals, notes } = document;
  return html`<main class="document">
<article class="paper">
<header>
${merchantName(organization)}
<h1>${kind} <span>${number}</span></h1>
<p class="state ${status.tone}">${status.text}</p>
</header>
<dl class="facts">${facts.map(fact)}</dl>
<div class="parties">${party(seller)}${party(buyer)}</div>
<table class="billed">
<thead><tr><th scope="col">Description</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>${lines.map(billedLine)}</tbody>
</table>
<table class="totals"><tbody>${totals.map(total)}</tbody></table>
${movements(document.movements)}
${notes.map((note) => html`<p class="remark">${note}</p>`)}
</article>
<a class="button" href="${pdf}">Open as PDF</a>
</main>`;
}
