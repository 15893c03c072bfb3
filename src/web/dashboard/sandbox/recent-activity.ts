import { html } from "hono/html";
import { emailsUrl } from "../../../actions/links.ts";
import { timelineEntriesOf } from "../../../actions/customer/timeline.ts";
import type { Context } from "../../../context.ts";
import { valueInWords } from "../../../domain/words.ts";
import { ListEmailsQuery } from "../../../resources/email.ts";
import { ListInvoicesQuery } from "../../../resources/invoice.ts";
import { listEmails } from "../../../store/emails.ts";
import { newestEvents } from "../../../store/events.ts";
import { listInvoices } from "../../../store/invoices.ts";
import { pathOf } from "../../components/link.ts";
import type { Html } from "../../layout.ts";
import { moneyText, time } from "../components/cells.ts";
import { statusBadge } from "../components/status.ts";
import { customerPath, nameOf, withCustomers } from "../lists/customer-cell.ts";
import type { Visit } from "../request.ts";

/** The newest of each kind that the page shows. */
const FEW = 8;

type Entry = { href: string; title: Html | string; detail: Html | string };

function list(id: string, title: string, entries: readonly Entry[], empty: string, more: Html | ""): Html {
  const entry = ({ href, title: text, detail }: Entry) => html`<li>
<a href="${href}"><bdi>${text}</bdi></a>
<span class="note">${detail}</span></li>`;
  return html`<section aria-labelledby="${id}"><h3 id="${id}">${title}</h3>
${entries.length === 0 ? html`<p class="note">${empty}</p>` : html`<ol>${entries.map(entry)}</ol>`}
${more}</section>`;
}

/** The newest invoices, e-mails and events of a sandbox, the newest first. */
export async function happened(ctx: Context, { organization, self }: Visit): Promise<Html> {
  const { id, timeZone: zone } = organization;
  const { read } = ctx.db;
  const [rows, mails, events] = await Promise.all([
    listInvoices(read, id, ListInvoicesQuery.parse({ limit: FEW })).then((all) => all.slice(0, FEW)),
    listEmails(read, id, ListEmailsQuery.parse({ limit: FEW, skipped: "false" })).then((all) => all.slice(0, FEW)),
    newestEvents(read, id, FEW),
  ]);
  const [invoices, told] = await Promise.all([withCustomers(ctx, id, rows), timelineEntriesOf(ctx, id, zone, events)]);
  const invoiceEntries = invoices.map(
    ({ id: part, number, customer, customerId, totalAmount, currency, status, createdAt }): Entry => ({
      href: customerPath(self, customerId, part),
      title: `${number ?? "Invoice"} · ${customer === null ? "" : nameOf(customer)}`,
      detail: html`${moneyText(totalAmount, currency)} ${statusBadge("invoice", status)} ${time(createdAt, zone)}`,
    }),
  );
  const emailEntries = mails.map(({ id: emailId, subject, kind, recipient, createdAt }): Entry => ({
    href: pathOf(emailsUrl(ctx, id, emailId)),
    title: subject ?? `${valueInWords(kind)} (is being written)`,
    detail: html`${recipient === null ? "" : html`<bdi>${recipient}</bdi> · `}${time(createdAt, zone)}`,
  }));
  const eventEntries = told.map(({ text, eventId, type }, n): Entry => ({
    href: `${self}/developers/events/${eventId}`,
    title: text,
    detail: html`${type} · ${time(events[n]!.createdAt, zone)}`,
  }));
  const allEmails = html`<p><a href="${pathOf(emailsUrl(ctx, id))}">All e-mails</a></p>`;
  const allInvoices = html`<p><a href="${self}/invoices">All invoices</a></p>`;
  const allEvents = html`<p><a href="${self}/developers/events">All events</a></p>`;
  return html`<section aria-labelledby="happened"><h2 id="happened">Recent activity</h2>
<div class="feeds">
${list("new-invoices", "Invoices", invoiceEntries, "There are no invoices yet.", allInvoices)}
${list("new-emails", "E-mails", emailEntries, "There are no e-mails yet.", allEmails)}
${list("new-events", "Events", eventEntries, "There are no events yet.", allEvents)}
</div></section>`;
}
