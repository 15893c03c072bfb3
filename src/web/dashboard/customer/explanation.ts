import { html } from "hono/html";
import type { ExplainedAmount } from "../../../resources/explanation/amount.ts";
import type { ExplainedLine } from "../../../resources/explanation/line.ts";
import { explainInvoice } from "../../../resources/explanation/invoice.ts";
import type { Instant } from "../../../domain/calendar.ts";
import type { Invoice, InvoiceLine } from "../../../domain/model/invoice.ts";
import type { Html } from "../../layout.ts";
import { money } from "../components/cells.ts";

type Amount = { name: Html | string; explained: ExplainedAmount; currency: string; shown?: number };

/** One amount that unfolds its explanation. `shown`: the amount as it stands on the invoice, if its sign differs. */
function why({ name, explained, currency, shown = explained.amount }: Amount): Html {
  const { text, expression, amount, rule } = explained;
  // A calculation of one number would only repeat the amount.
  const isPlain = expression === String(amount);
  const calculation = isPlain ? "" : html`<code>${expression} = ${amount}</code> in the currency's smallest unit. `;
  return html`<details class="why">
<summary><span>${name}</span> <span class="ask">Why?</span> ${money(shown, currency)}</summary>
<p>${text}</p>
<p class="note">${calculation}Rule ${rule}</p>
</details>`;
}

function amountsOf(currency: string, { description, amount, discount, tax }: ExplainedLine): Html[] {
  const amounts = [why({ name: html`<bdi>${description}</bdi>`, explained: amount, currency })];
  if (discount) amounts.push(why({ name: "Discount", explained: discount, currency, shown: -discount.amount }));
  if (tax) amounts.push(why({ name: "Tax", explained: tax, currency }));
  return amounts;
}

/** Every amount of an invoice with its calculation in words, as `explainInvoice` of the management API tells it. */
export function explainedAmounts(
  invoice: Invoice,
  lines: readonly InvoiceLine[],
  zone: string,
  noticedAt: Instant | null = null,
): Html {
  const { currency, balanceApplied, balanceBasis } = invoice;
  const { lines: each, total, balance, due } = explainInvoice(invoice, lines, zone, noticedAt);
  const hadBalance = balanceApplied !== 0 || (balanceBasis !== null && balanceBasis.balance !== 0);
  return html`<div class="amounts">
${each.flatMap((line) => amountsOf(currency, line))}
${why({ name: "Total", explained: total, currency })}
${hadBalance ? why({ name: "Settled by the balance", explained: balance, currency, shown: -balance.amount }) : ""}
${why({ name: "Due", explained: due, currency })}
</div>`;
}
