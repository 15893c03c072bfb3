import { html } from "hono/html";
import type {
  DocumentLine,
  DocumentTotal,
  Fact,
  IssuedDocument,
  Movement,
  PartyBlock,
} from "../../documents/billing-document.ts";
import { merchantName, type Html } from "../layout.ts";

const fact = ({ name, value }: Fact) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

function party({ heading, name, lines }: PartyBlock): Html {
  return html`<section>
<h2>${heading}</h2>
<p><strong><bdi>${name}</bdi></strong></p>
${lines.map((line) => html`<p><bdi>${line}</bdi></p>`)}
</section>`;
}

const note = (parts: string[]) =>
  parts.length === 0 ? "" : html`<span class="note"><bdi>${parts.join(" · ")}</bdi></span>`;

function billedLine({ description, notes, amount }: DocumentLine): Html {
  return html`<tr><td><bdi>${description}</bdi>${note(notes)}</td><td class="amount">${amount}</td></tr>`;
}

function total({ name, value, strong }: DocumentTotal): Html {
  const looks = strong ? html`class="strong"` : "";
  return html`<tr ${looks}><th scope="row">${name}</th><td class="amount">${value}</td></tr>`;
}

function movement({ date, how, note: more, amount }: Movement): Html {
  return html`<tr><td>${how}${note(more === null ? [date] : [date, more])}</td><td class="amount">${amount}</td></tr>`;
}

function table(heading: string, rows: Html[]): Html {
  return html`<table>
<thead><tr><th scope="col">${heading}</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

/**
 * An invoice or a credit note, with the content of its PDF. `pdf`: the path of the PDF; `above`: content before the
 * document.
 */
export function documentPage({ organization, document }: IssuedDocument, pdf: string, above: Html | null = null): Html {
  const { kind, number, status, facts, seller, buyer, lines, totals, notes } = document;
  const { heading, rows } = document.movements;
  return html`<main class="document">
${above ?? ""}
<article class="paper">
<header>
${merchantName(organization)}
<h1>${kind} <span>${number}</span></h1>
<p class="state ${status.tone}">${status.text}</p>
</header>
<dl class="facts">${facts.map(fact)}</dl>
<div class="parties">${party(seller)}${party(buyer)}</div>
${table("Description", lines.map(billedLine))}
<table class="totals"><tbody>${totals.map(total)}</tbody></table>
${rows.length === 0 ? "" : table(heading, rows.map(movement))}
${notes.map((remark) => html`<p class="remark">${remark}</p>`)}
</article>
<a class="${above === null ? "button" : "button other"}" href="${pdf}">Open as PDF</a>
</main>`;
}
