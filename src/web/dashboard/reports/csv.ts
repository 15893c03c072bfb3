import type { CsvValue } from "../../../csv.ts";
import { formatInstant } from "../../../domain/calendar.ts";
import { majorUnits } from "../../../domain/major-units.ts";
import type { Bucket } from "../../../domain/metrics/span.ts";
import { LEDGER_ACCOUNTS, type RevenueRow } from "../../../domain/report/revenue.ts";
import { declaredOf, type TaxRow } from "../../../domain/report/tax.ts";
import type { OwedInvoice } from "../../../store/reports.ts";

/** A file as its headings and rows. Amounts are in the major unit of the currency beside them. */
export type Sheet = { headings: readonly string[]; rows: readonly (readonly CsvValue[])[] };

const upper = (currency: string) => currency.toUpperCase();

export function revenueSheet(months: readonly Bucket[], rows: readonly RevenueRow[]): Sheet {
  const parts = ["invoices", "void_invoices", "credit_notes", "tax", "net_revenue"];
  const costs = ["disputes_lost", "written_off", "adjustments"];
  return {
    headings: ["month", "currency", ...parts, ...costs, ...LEDGER_ACCOUNTS.map((account) => `account_${account}`)],
    rows: rows.map(({ bucket, currency, accounts, ...row }) => {
      const figures = [row.invoiced, row.voided, row.credited, row.tax, row.net];
      const others = [row.disputesLost, row.writtenOff, row.adjusted];
      const moved = LEDGER_ACCOUNTS.map((account) => accounts[account]);
      const amounts = [...figures, ...others, ...moved].map((amount) => majorUnits(amount, currency));
      return [months[bucket]!.name, upper(currency), ...amounts];
    }),
  };
}

export function taxSheet(months: readonly Bucket[], rows: readonly TaxRow[]): Sheet {
  const parts = ["invoices", "void_invoices", "credit_notes"].flatMap((part) => [`${part}_net`, `${part}_tax`]);
  const place = ["country", "region", "rate", "percent", "reverse_charge"];
  return {
    headings: ["month", "currency", ...place, ...parts, "net", "tax"],
    rows: rows.map((row) => {
      const { currency, invoiced, voided, credited } = row;
      const sums = [invoiced, voided, credited, declaredOf(row)].flatMap(({ net, tax }) => [net, tax]);
      return [
        months[row.bucket]!.name,
        upper(currency),
        row.country,
        row.region,
        row.name,
        row.basisPoints / 100,
        row.reverseCharge ? "yes" : "no",
        ...sums.map((amount) => majorUnits(amount, currency)),
      ];
    }),
  };
}

export const receivablesSheet = (invoices: readonly (OwedInvoice & { days: number; name: string })[]): Sheet => ({
  headings: ["id", "number", "customer_id", "customer", "currency", "due", "created_at", "age_in_days"],
  rows: invoices.map(({ id, number, customerId, name, currency, amountDue, createdAt, days }) => [
    id,
    number,
    customerId,
    name,
    upper(currency),
    majorUnits(amountDue, currency),
    formatInstant(createdAt),
    days,
  ]),
});
