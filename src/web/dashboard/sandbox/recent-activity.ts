import { html } from "hono/html";
import { emailsUrl } from "../../../actions/links.ts";
import { timelineEntriesOf } from "../../../actions/customer/timeline.ts";
import type { Context } from "../../../context.ts";
import type { Instant } from "../../../domain/calendar.ts";
import type { EventType } from "../../../domain/event.ts";
import type { ListedEmail } from "../../../domain/model/email.ts";
import type { Invoice } from "../../../domain/model/invoice.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { valueInWords } from "../../../domain/words.ts";
import { ListInvoicesQuery } from "../../../resources/invoice.ts";
import { newestEvents } from "../../../store/events.ts";
import { listInvoices } from "../../../store/invoices.ts";
import { pathOf } from "../../components/link.ts";
import type { Html } from "../../layout.ts";
import { moneyText, time } from "../components/cells.ts";
import { statusBadge } from "../components/status.ts";
import { customerPath, nameOf, withCustomers, type OfCustomer } from "../lists/customer-cell.ts";
import type { DashboardRequest } from "../request.ts";

/** The newest of each kind that the page shows. */
export const MOST_ACTIVITY = 8;

type Entry = { href: string; title: Html | string; detail: Html | string };

function list(id: string, title: string, entries: readonly Entry[], empty: string, more: Html | ""): Html {
  const entry = ({ href, title: text, detail }: Entry) => html`<li>
<a href="${href}"><bdi>${text}</bdi></a>
<span class="note">${detail}</span></li>`;
  return html`<section aria-labelledby="${id}"><h3 id="${id}">${title}</h3>
${entries.length === 0 ? html`<p class="note">${empty}</p>` : html`<ol>${entries.map(entry)}</ol>`}
${more}</section>`;
}

/** The newest invoices and events of a sandbox, the newest first. */
export type RecentActivity = {
  invoices: readonly (Invoice & OfCustomer)[];
  events: readonly { id: string; type: EventType; createdAt: Instant; text: string }[];
};

export async function readRecentActivity(ctx: Context, { id, timeZone }: Organization): Promise<RecentActivity> {
  const { read } = ctx.db;
  const [rows, newest] = await Promise.all([
    listInvoices(read, id, ListInvoicesQuery.parse({ limit: MOST_ACTIVITY })).then((all) =>
      all.slice(0, MOST_ACTIVITY),
    ),
    newestEvents(read, id, MOST_ACTIVITY),
  ]);
  const [invoices, entries] = await Promise.all([
    withCustomers(ctx, id, rows),
    timelineEntriesOf(ctx, id, timeZone, newest),
  ]);
  const events = newest.map((event, n) => ({ ...event, text: entries[n]!.text }));
  return { invoices, events };
}

/** `emails`: the newest first. The list shows the first few. */
export function recentActivityPart(
  { ctx, organization, self }: DashboardRequest,
  { invoices, events }: RecentActivity,
  emails: readonly ListedEmail[],
): Html {
  const { id, timeZone: zone } = organization;
  const invoiceEntries = invoices.map(
    ({ id: part, number, customer, customerId, totalAmount, currency, status, createdAt }): Entry => ({
      href: customerPath(self, customerId, part),
      title: `${number ?? "Invoice"} · ${customer === null ? "" : nameOf(customer)}`,
      detail: html`${moneyText(totalAmount, currency)} ${statusBadge("invoice", status)} ${time(createdAt, zone)}`,
    }),
  );
  const emailEntries = emails
    .slice(0, MOST_ACTIVITY)
    .map(({ id: emailId, subject, kind, recipient, createdAt }): Entry => ({
      href: pathOf(emailsUrl(ctx, id, emailId)),
      title: subject ?? `${valueInWords(kind)} (is being written)`,
      detail: html`${recipient === null ? "" : html`<bdi>${recipient}</bdi> · `}${time(createdAt, zone)}`,
    }));
  const eventEntries = events.map(({ id: eventId, text, type, createdAt }): Entry => ({
    href: `${self}/developers/events/${eventId}`,
    title: text,
    detail: html`${type} · ${time(createdAt, zone)}`,
  }));
  const allEmails = html`<p><a href="${pathOf(emailsUrl(ctx, id))}">All e-mails</a></p>`;
  const allInvoices = html`<p><a href="${self}/invoices">All invoices</a></p>`;
  const allEvents = html`<p><a href="${self}/developers/events">All events</a></p>`;
  return html`<section aria-labelledby="recent-activity"><h2 id="recent-activity">Recent activity</h2>
<div class="feeds">
${list("new-invoices", "Invoices", invoiceEntries, "There are no invoices yet.", allInvoices)}
${list("new-emails", "E-mails", emailEntries, "There are no e-mails yet.", allEmails)}
${list("new-events", "Events", eventEntries, "There are no events yet.", allEvents)}
</div></section>`;
}
