import * as z from "zod";
import { addMonths, parseDate } from "../domain/calendar.ts";
import { MOST_MONTHS, type Bucket } from "../domain/metrics/span.ts";
import type { CurrencyReceivables } from "../domain/report/receivables.ts";
import type { AccountMovements, RevenueRow } from "../domain/report/revenue.ts";
import { declaredOf, type TaxRow } from "../domain/report/tax.ts";
import type { Instant } from "../domain/calendar.ts";
import { amount, countryCode, currency, currencyCode, issue, time, timestamp } from "./fields.ts";
import { date } from "./metrics.ts";

const asked = currency.optional().meta({ description: "Only rows of this currency. Without it, all currencies." });

/** The query of a report by month. */
export const MonthlyReportQuery = z
  .strictObject({
    from: date.meta({ description: "The first month: the whole month of this day." }),
    to: date.meta({ description: "The last month: the whole month of this day." }),
    currency: asked,
  })
  .superRefine(({ from, to }, check) => {
    if (parseDate(from) === null || parseDate(to) === null) return;
    if (from > to) check.addIssue(issue("end_before_start", "The last month is before the first one.", ["to"]));
    else if (from < addMonths(to, 1 - MOST_MONTHS))
      check.addIssue(issue("span_too_long", `Ask for ${MOST_MONTHS} months at most.`, ["from"]));
  });

export const ReceivablesQuery = z.strictObject({
  on: date.optional().meta({
    description: "A day in the Organization's time zone. The report is of its end. Without it, the report is of now.",
  }),
  currency: asked,
});

const month = {
  month: z
    .string()
    .regex(/^[0-9]{4}-[0-9]{2}$/)
    .meta({ description: "The month in the Organization's time zone: `2026-10`." }),
  currency: currencyCode,
};
const monthly = <Row extends z.ZodType>(row: Row) =>
  z.object({
    timeZone: z.string(),
    start: timestamp,
    end: timestamp.meta({ description: "The first instant after the last month." }),
    data: z.array(row).meta({ description: "Months and currencies without any amount are left out." }),
  });

const taxed = z.object({ net: amount, tax: amount });

const TaxReportRow = z.object({
  ...month,
  country: countryCode.nullable().meta({
    description: "Of the rate; of the buyer's address for lines without a rate. Null: no address was asked for.",
  }),
  region: z.string().nullable(),
  name: z.string().nullable().meta({ description: "The name of the rate. Null: there is no rate." }),
  basisPoints: z.int(),
  reverseCharge: z.boolean().meta({ description: "The buyer owes the tax, so `tax` is 0." }),
  invoices: taxed.meta({ description: "The lines of the invoices of the month." }),
  voided: taxed.meta({ description: "The lines of invoices that became void in the month." }),
  creditNotes: taxed.meta({ description: "The lines of the credit notes of the month." }),
  net: amount.meta({ description: "`invoices` less `voided` and `creditNotes`." }),
  tax: amount,
});

export const TaxReportResource = monthly(TaxReportRow).meta({ id: "TaxReport" });

const RevenueReportRow = z.object({
  ...month,
  invoices: amount.meta({ description: "The totals of the invoices of the month, with tax." }),
  voided: amount.meta({ description: "The totals of invoices that became void in the month, with tax." }),
  creditNotes: amount.meta({ description: "Sales that were given back in the month, with tax." }),
  tax: amount,
  net: amount.meta({ description: "The net revenue: `invoices` less `voided`, `creditNotes` and `tax`." }),
  disputesLost: amount.meta({ description: "Money that banks kept. A loss that lowers no revenue." }),
  writtenOff: amount.meta({ description: "Debts that were written off, less credit that was given up." }),
  adjustments: amount.meta({ description: "Credit that was given by hand, less credit that was taken." }),
  accounts: z
    .object({
      receivable: amount,
      provider: amount,
      outside: amount,
      revenue: amount,
      tax: amount,
      balance: amount,
      writtenOff: amount,
      adjustment: amount,
      disputed: amount,
      disputeLost: amount,
      payingOut: amount,
    })
    .meta({ description: "The movement of each account of the ledger: debits less credits. The sum is 0." }),
});

export const RevenueReportResource = monthly(RevenueReportRow).meta({ id: "RevenueReport" });

const owed = { amount: amount.meta({ description: "The amounts due of these invoices." }), invoices: z.int() };
export const ReceivablesReportResource = z
  .object({
    timeZone: z.string(),
    at: timestamp.meta({ description: "The instant of the report." }),
    data: z.array(
      z.object({
        currency: currencyCode,
        ...owed,
        ages: z.array(
          z.object({
            fromDays: z.int(),
            toDays: z.int().nullable().meta({ description: "Null: and older." }),
            ...owed,
          }),
        ),
      }),
    ),
  })
  .meta({ id: "ReceivablesReport" });

/** A report by month as it is shown. `months` is not empty. */
type Monthly<Row> = { timeZone: string; months: readonly Bucket[]; rows: readonly Row[] };

function presentMonthly<Row extends { bucket: number; currency: string }, Rest>(
  { timeZone, months, rows }: Monthly<Row>,
  present: (row: Row) => Rest,
) {
  return {
    timeZone,
    start: time(months[0]!.start),
    end: time(months.at(-1)!.end),
    data: rows.map((row) => ({ month: months[row.bucket]!.name, currency: row.currency, ...present(row) })),
  };
}

export const presentTaxReport = (report: Monthly<TaxRow>): z.infer<typeof TaxReportResource> =>
  presentMonthly(report, (row) => {
    const { country, region, name, basisPoints, reverseCharge, invoiced, voided, credited } = row;
    const shown = { country, region, name, basisPoints, reverseCharge };
    return { ...shown, invoices: invoiced, voided, creditNotes: credited, ...declaredOf(row) };
  });

const presentAccounts = ({ written_off, dispute_lost, paying_out, ...others }: AccountMovements) => ({
  ...others,
  writtenOff: written_off,
  disputeLost: dispute_lost,
  payingOut: paying_out,
});

export const presentRevenueReport = (report: Monthly<RevenueRow>): z.infer<typeof RevenueReportResource> =>
  presentMonthly(report, ({ invoiced, voided, credited, tax, net, disputesLost, writtenOff, adjusted, accounts }) => ({
    invoices: invoiced,
    voided,
    creditNotes: credited,
    tax,
    net,
    disputesLost,
    writtenOff,
    adjustments: adjusted,
    accounts: presentAccounts(accounts),
  }));

export const presentReceivables = ({
  timeZone,
  at,
  currencies,
}: {
  timeZone: string;
  at: Instant;
  currencies: readonly CurrencyReceivables[];
}): z.infer<typeof ReceivablesReportResource> => ({
  timeZone,
  at: time(at),
  data: currencies.map(({ ages, ...sum }) => ({
    ...sum,
    ages: ages.map(({ age, amount: due, invoices }) => ({
      fromDays: age.from,
      toDays: age.until,
      amount: due,
      invoices,
    })),
  })),
});
