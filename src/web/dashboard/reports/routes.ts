import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type * as z from "zod";
import { readReceivables, readRevenueReport, readTaxReport, type Receivables } from "../../../actions/report/read.ts";
import { todayOf } from "../../../actions/metrics/read.ts";
import { ageHeaders } from "../../../actions/stale-reads.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../../csv.ts";
import { addMonths, DAY } from "../../../domain/calendar.ts";
import { usualFrom } from "../../../domain/metrics/span.ts";
import { MonthlyReportQuery, ReceivablesQuery } from "../../../resources/report.ts";
import { listOwed, type OwedInvoice } from "../../../store/reports.ts";
import { shownAgain } from "../../components/field.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import type { FilterField } from "../components/filter-bar.ts";
import type { Pages } from "../form-action.ts";
import { nameOf, withCustomers, type OfCustomer } from "../lists/customer-cell.ts";
import { PER_READ } from "../lists/address.ts";
import { faultsOf } from "../lists/page.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { receivablesSheet, revenueSheet, taxSheet, type Sheet } from "./csv.ts";
import { receivablesBody, reportPage, REPORTS, revenueBody, taxBody, type ReportName } from "./page.ts";

/** The invoices that the page of receivables lists. */
const MOST_INVOICES = 200;

type Values = Readonly<Record<string, string>>;
/** A report that was read: its part of the page, or its file. */
type Found = { body: Html; sheet(): Promise<Sheet> | Sheet };
type Report = {
  schema: z.ZodType;
  fields: readonly (readonly [name: string, label: string])[];
  usual(today: string): Values;
  read(request: DashboardRequest, query: never): Promise<Found>;
};

type Monthly = z.output<typeof MonthlyReportQuery>;
const MONTHS = [
  ["from", "From the month of"],
  ["to", "To the month of"],
] as const;
const CURRENCY = ["currency", "Currency"] as const;
const asked = ({ from, to, currency }: Monthly) => ({ from, to, currency: currency ?? null });

/** All open invoices of a report, as many at once as a read has rows. */
async function everyOwed({ ctx, organization }: DashboardRequest, { at, owed }: Receivables) {
  const rows: (OwedInvoice & OfCustomer)[] = [];
  for (let last = PER_READ; last === PER_READ;) {
    const page = { cursor: rows.at(-1) ?? null, limit: PER_READ };
    const found = await listOwed(ctx.db.stale, organization.id, owed, page);
    rows.push(...(await withCustomers(ctx, organization.id, found)));
    last = found.length;
  }
  return rows.map((row) => ({
    ...row,
    name: row.customer === null ? "" : nameOf(row.customer),
    days: Math.floor((at - row.createdAt) / DAY),
  }));
}

const TABLE: Record<ReportName, Report> = {
  revenue: {
    schema: MonthlyReportQuery,
    fields: [...MONTHS, CURRENCY],
    usual: (today) => ({ from: usualFrom("month", today), to: today }),
    async read({ ctx, organization }, query: Monthly) {
      const report = await readRevenueReport(ctx, organization, asked(query));
      return { body: revenueBody(report), sheet: () => revenueSheet(report.months, report.rows) };
    },
  },
  tax: {
    schema: MonthlyReportQuery,
    fields: [...MONTHS, CURRENCY],
    usual: (today) => ({ from: addMonths(today, -2), to: today }),
    async read({ ctx, organization }, query: Monthly) {
      const report = await readTaxReport(ctx, organization, asked(query));
      return { body: taxBody(report), sheet: () => taxSheet(report.months, report.rows) };
    },
  },
  receivables: {
    schema: ReceivablesQuery,
    fields: [["on", "At the end of the day"], CURRENCY],
    usual: () => ({}),
    async read(request, { on, currency }: z.output<typeof ReceivablesQuery>) {
      const { ctx, organization } = request;
      const report = await readReceivables(ctx, organization, { on: on ?? null, currency: currency ?? null });
      const page = { cursor: null, limit: MOST_INVOICES + 1 };
      const found = await listOwed(ctx.db.stale, organization.id, report.owed, page);
      const invoices = await withCustomers(ctx, organization.id, found.slice(0, MOST_INVOICES));
      const body = receivablesBody(request, { ...report, invoices, isCut: found.length > MOST_INVOICES });
      return { body, sheet: async () => receivablesSheet(await everyOwed(request, report)) };
    },
  },
};

/** The typed filters of an address. A filter without a value is no filter. */
const typedIn = (c: PageContext): Values =>
  Object.fromEntries([...new URL(c.req.url).searchParams].filter(([, value]) => value.trim() !== ""));

async function valuesOf(c: PageContext, { ctx, organization }: DashboardRequest, { usual }: Report): Promise<Values> {
  return { ...usual(await todayOf(ctx, organization)), ...typedIn(c) };
}

function fieldsOf({ fields }: Report, values: Values, faults: Values): FilterField[] {
  return fields.map(([name, label]) => ({
    name,
    label,
    value: shownAgain(values[name] ?? ""),
    ...(name !== "currency" && { type: "date" as const }),
    fault: faults[name],
  }));
}

const noBody = (fault: string | undefined): Html =>
  fault === undefined ? html`` : html`<p class="fault">${fault}</p>`;

function pagesOf(name: ReportName): Pages {
  const report = TABLE[name];
  return (_, app, { signedIn }) => {
    app.get(
      `${ROOT}/reports/${name}`,
      signedIn("exports", async (c, request) => {
        const values = await valuesOf(c, request, report);
        const query = report.schema.safeParse(values);
        if (!query.success) {
          const faults = faultsOf(query.error);
          const fields = fieldsOf(report, values, faults);
          return c.html(reportPage(request, name, { fields, body: noBody(faults[""]), csv: null }), 422);
        }
        const { body } = await report.read(request, query.data as never);
        const csv = `${request.self}/reports/${name}.csv?${new URLSearchParams(values)}`;
        return c.html(reportPage(request, name, { fields: fieldsOf(report, values, {}), body, csv }));
      }),
    );
    app.get(
      `${ROOT}/reports/${name}.csv`,
      signedIn("exports", async (c, request) => {
        const query = report.schema.safeParse(await valuesOf(c, request, report));
        if (!query.success) throw new HTTPException(422);
        const { headings, rows } = await (await report.read(request, query.data as never)).sheet();
        return c.body(BYTE_ORDER_MARK + [headings, ...rows].map(csvLine).join(""), 200, {
          "Content-Type": "text/csv; charset=utf-8; header=present",
          ...ageHeaders(request.age()),
          "Content-Disposition": `attachment; filename="${name}.csv"`,
        });
      }),
    );
  };
}

/** `/dashboard/{organizationId}/reports`: revenue, tax and receivables for accountants, and their CSV files (rule R10). */
export const reportPages: Pages = (ctx, app, guard) => {
  for (const name of REPORTS) pagesOf(name)(ctx, app, guard);
  app.get(
    `${ROOT}/reports`,
    guard.signedIn("exports", async (c, request) => c.redirect(`${request.self}/reports/revenue`, 303)),
  );
};
