import { readReceivables, readRevenueReport, readTaxReport } from "../../actions/report/read.ts";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  MonthlyReportQuery,
  presentReceivables,
  presentRevenueReport,
  presentTaxReport,
  ReceivablesQuery,
  ReceivablesReportResource,
  RevenueReportResource,
  TaxReportResource,
} from "../../resources/report.ts";
import { organizations } from "../../store/organizations.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

async function organizationOf(ctx: Context, organizationId: string): Promise<Organization> {
  const organization = await organizations.find(ctx.db.read, organizationId);
  if (!organization) throw new Refusal("not_found");
  return organization;
}

export const reportEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/reports/revenue",
    operationId: "getRevenueReport",
    summary: "Read the revenue of each month and currency, by the ledger",
    query: MonthlyReportQuery,
    responses: { 200: RevenueReportResource },
    async handle(ctx, { call, query: { from, to, currency = null } }) {
      const organization = await organizationOf(ctx, call.organizationId);
      const report = await readRevenueReport(ctx, organization, { from, to, currency });
      return answer(200, presentRevenueReport({ timeZone: organization.timeZone, ...report }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/reports/tax",
    operationId: "getTaxReport",
    summary: "Read the tax of each month, by currency, country, region and rate",
    query: MonthlyReportQuery,
    responses: { 200: TaxReportResource },
    async handle(ctx, { call, query: { from, to, currency = null } }) {
      const organization = await organizationOf(ctx, call.organizationId);
      const report = await readTaxReport(ctx, organization, { from, to, currency });
      return answer(200, presentTaxReport({ timeZone: organization.timeZone, ...report }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/reports/receivables",
    operationId: "getReceivablesReport",
    summary: "Read the amounts of open invoices by age, now or at the end of a day",
    query: ReceivablesQuery,
    responses: { 200: ReceivablesReportResource },
    async handle(ctx, { call, query: { on = null, currency = null } }) {
      const organization = await organizationOf(ctx, call.organizationId);
      const { at, currencies } = await readReceivables(ctx, organization, { on, currency });
      return answer(200, presentReceivables({ timeZone: organization.timeZone, at, currencies }));
    },
  }),
];
