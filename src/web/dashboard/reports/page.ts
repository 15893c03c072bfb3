import { html } from "hono/html";
import type { MonthlyReport, Receivables } from "../../../actions/report/read.ts";
import { percent } from "../../../domain/words.ts";
import { LEDGER_ACCOUNTS, type RevenueRow } from "../../../domain/report/revenue.ts";
import { declaredOf, type TaxRow } from "../../../domain/report/tax.ts";
import type { LedgerAccount } from "../../../domain/model/ledger.ts";
import type { OwedInvoice } from "../../../store/reports.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { moneyCell, time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { filterBar, type FilterField } from "../components/filter-bar.ts";
import { tabs } from "../components/tabs.ts";
import { dashboardPage } from "../frame.ts";
import { invoicePath } from "../invoice/paths.ts";
import { customerLink, type OfCustomer } from "../lists/customer-cell.ts";
import { bucketName } from "../overview/names.ts";
import type { DashboardRequest } from "../request.ts";
import { table } from "../table.ts";

export const REPORTS = ["revenue", "tax", "receivables"] as const;
export type ReportName = (typeof REPORTS)[number];

const TITLES: Record<ReportName, string> = { revenue: "Revenue", tax: "Tax", receivables: "Receivables" };
const LEADS: Record<ReportName, string> = {
  revenue: "The bookings of each month, by the ledger. Invoices and credit notes are with tax.",
  tax: "The lines of invoices by place and rate, less void invoices and credit notes.",
  receivables: "The open invoices, by the days since they were made.",
};

/** `csv`: the address of the file; null: the filters have a fault. */
export type ReportPage = { fields: readonly FilterField[]; body: Html; csv: string | null };

/** One of the reports, with its filters and the way to the others. */
export function reportPage(request: DashboardRequest, name: ReportName, { fields, body, csv }: ReportPage): Html {
  const at = (report: ReportName) => `${request.self}/reports/${report}`;
  const choice = tabs(
    "Report",
    REPORTS.map((report) => ({ href: at(report), label: TITLES[report], isCurrent: report === name })),
  );
  const actions =
    csv === null ? undefined : html`<a class="button small other" href="${csv}" download>Download CSV</a>`;
  const whole = html`${choice}${filterBar(at(name), fields, null)}${body}`;
  const title = `Report: ${TITLES[name]}`;
  return dashboardPage(request, { section: "reports", title, lead: LEADS[name], body: whole, actions });
}

const figure = (label: string, isWide = false) => ({ label, isNumber: true, isWide });
const currenciesOf = (rows: readonly { currency: string }[]) => [...new Set(rows.map((row) => row.currency))].sort();

const ACCOUNT_NAMES: Record<LedgerAccount, string> = {
  receivable: "Receivable",
  provider: "Payment provider",
  outside: "Outside of Billow",
  revenue: "Revenue",
  tax: "Tax",
  balance: "Balances of Customers",
  written_off: "Written off",
  adjustment: "Adjustments",
  disputed: "Open disputes",
  dispute_lost: "Lost disputes",
  paying_out: "On the way to cards",
};

/** The movement of each account over all months of one currency. */
function accountTable(rows: readonly RevenueRow[], currency: string): Html {
  const row = (account: LedgerAccount) => {
    const moved = rows.reduce((sum, { accounts }) => sum + accounts[account], 0);
    return html`<tr><th scope="row">${ACCOUNT_NAMES[account]}</th>${moneyCell(moved, currency)}</tr>`;
  };
  const caption = `Accounts of the ledger in ${currency.toUpperCase()}`;
  return html`<details class="more"><summary>${caption}</summary>
<p class="note">Debits less credits of all these months. A sale stands below zero, and the sum is 0.</p>
${table(caption, ["Account", figure("Movement")], LEDGER_ACCOUNTS.map(row))}</details>`;
}

const REVENUE_HEADINGS = [
  figure("Invoices"),
  figure("Void", true),
  figure("Credit notes"),
  figure("Tax"),
  figure("Net revenue"),
  figure("Lost disputes", true),
  figure("Written off", true),
  figure("Adjustments", true),
];

export function revenueBody({ months, rows }: MonthlyReport<RevenueRow>): Html {
  if (rows.length === 0) return emptyState("The ledger has no booking in these months.");
  const line = (row: RevenueRow) => {
    const { currency } = row;
    const wide = (amount: number) => html`<td class="number wide">${ENGLISH.money(amount, currency)}</td>`;
    return html`<tr><th scope="row">${bucketName("month", months[row.bucket]!)}</th>
${moneyCell(row.invoiced, currency)}${wide(row.voided)}${moneyCell(row.credited, currency)}
${moneyCell(row.tax, currency)}${moneyCell(row.net, currency)}
${[row.disputesLost, row.writtenOff, row.adjusted].map(wide)}</tr>`;
  };
  const headings = ["Month", ...REVENUE_HEADINGS];
  const section = (currency: string) => {
    const own = rows.filter((row) => row.currency === currency);
    const title = currency.toUpperCase();
    return html`<section><h2>${title}</h2>
${table(`Revenue in ${title}`, headings, own.map(line))}
${accountTable(own, currency)}</section>`;
  };
  return html`${currenciesOf(rows).map(section)}`;
}

const countries = new Intl.DisplayNames(["en-GB"], { type: "region" });

function localityOf({ country, region }: TaxRow): string {
  if (country === null) return "No address";
  const name = countries.of(country) ?? country;
  return region === null ? name : `${name}, ${region}`;
}

function rateOf({ name, basisPoints, reverseCharge }: TaxRow): Html | string {
  if (name === null) return "No rate";
  const rate = `${percent(basisPoints)} `;
  return html`${rate}<bdi>${name}</bdi>${reverseCharge ? ", reverse charge" : ""}`;
}

export function taxBody({ months, rows }: MonthlyReport<TaxRow>): Html {
  if (rows.length === 0) return emptyState("There is no invoice and no credit note in these months.");
  const line = (row: TaxRow) => {
    const declared = declaredOf(row);
    const wide = (amount: number) => html`<td class="number wide">${ENGLISH.money(amount, row.currency)}</td>`;
    const { invoiced, voided, credited } = row;
    return html`<tr><th scope="row">${bucketName("month", months[row.bucket]!)}</th>
<td>${localityOf(row)}</td><td>${rateOf(row)}</td>
${wide(invoiced.net - voided.net)}${wide(credited.net)}${wide(credited.tax)}
${moneyCell(declared.net, row.currency)}${moneyCell(declared.tax, row.currency)}</tr>`;
  };
  const credit = [figure("Credit notes, net", true), figure("Credit notes, tax", true)];
  const headings = ["Month", "Place", "Rate", figure("Invoices, net", true), ...credit, figure("Net"), figure("Tax")];
  const section = (currency: string) => {
    const own = rows.filter((row) => row.currency === currency);
    const title = currency.toUpperCase();
    return html`<section><h2>${title}</h2>${table(`Tax in ${title}`, headings, own.map(line))}</section>`;
  };
  return html`${currenciesOf(rows).map(section)}`;
}

/** `invoices`: the oldest ones. `isCut`: there are more than the page shows. */
export type OwedView = Receivables & { invoices: readonly (OwedInvoice & OfCustomer)[]; isCut: boolean };

export function receivablesBody(request: DashboardRequest, { at, currencies, invoices, isCut }: OwedView): Html {
  const zone = request.organization.timeZone;
  const when = html`<p>As of ${time(at, zone)}.</p>`;
  if (currencies.length === 0) return html`${when}${emptyState("No invoice was open.")}`;
  const ages = currencies[0]!.ages.map(({ age: { from, until } }) =>
    figure(until === null ? `Over ${from - 1} days` : `${from} to ${until} days`),
  );
  const sum = ({ currency, amount, ages: each }: (typeof currencies)[number]) => html`<tr>
<th scope="row">${currency.toUpperCase()}</th>${each.map((age) => moneyCell(age.amount, currency))}
${moneyCell(amount, currency)}</tr>`;
  const line = (each: OwedInvoice & OfCustomer) => html`<tr>
<th scope="row"><a href="${invoicePath(request.self, each.id)}">${each.number}</a></th>
<td>${customerLink(each.customer, request)}</td>
<td class="wide">${time(each.createdAt, zone)}</td>
${moneyCell(each.amountDue, each.currency)}</tr>`;
  const headings = ["Invoice", "Customer", { label: "Created", isWide: true }, figure("Due")];
  return html`${when}
${table("Receivables by age", ["Currency", ...ages, figure("Total")], currencies.map(sum))}
<h2>Open invoices</h2>
${isCut ? html`<p class="note">These are the oldest invoices. The CSV has all of them.</p>` : ""}
${table("Open invoices", headings, invoices.map(line))}`;
}
