import { html } from "hono/html";
import { invoiceUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { formatDate } from "../../domain/calendar.ts";
import type { Invoice } from "../../domain/invoice/invoice.ts";
import { pathOf } from "../components/link.ts";
import type { Html } from "../layout.ts";
import { money } from "../money.ts";
import type { Account } from "./account.ts";
import { section } from "./section.ts";
import type { Visit } from "./visit.ts";

const STATES: Record<Invoice["status"], string> = { open: "open", paid: "paid", void: "void" };

function invoiceEntry(ctx: Context, { organization }: Visit, invoice: Invoice): Html {
  const { number, status, currency, totalAmount, amountDue, createdAt } = invoice;
  const page = pathOf(invoiceUrl(ctx, invoice));
  const isDue = status === "open" && amountDue > 0;
  return html`<li class="invoice">
<p><a href="${page}">${number}</a> <span class="note">${formatDate(createdAt, organization.timeZone)}</span></p>
<p>${money(totalAmount, currency)} <span class="note">${STATES[status]}</span></p>
<p class="ways">
${isDue ? html`<a class="pay" href="${page}">Pay<span class="unseen"> invoice ${number}</span></a>` : ""}
<a href="${page}/pdf">PDF<span class="unseen"> of invoice ${number}</span></a>
</p>
</li>`;
}

/** A page of the invoices, newest first. */
export function invoicesSection(ctx: Context, visit: Visit, { invoices, older }: Account): Html {
  const next = older === null ? "" : html`<p class="aside"><a href="?cursor=${older}">Older invoices</a></p>`;
  const entries = invoices.map((invoice) => invoiceEntry(ctx, visit, invoice));
  return section("invoices", "Invoices and receipts", entries, "There is no invoice yet.", next);
}
