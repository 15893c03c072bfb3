import type { CsvSums } from "../../actions/import/csv.ts";
import type { RowOutcome } from "../../actions/import/csv-customer.ts";
import { csvLine } from "../../csv.ts";
import { formatMoney } from "../../domain/currency.ts";
import { majorUnits } from "../../domain/major-units.ts";
import { counted } from "../../domain/words.ts";
import { table } from "../table.ts";
import { csvReport, jsonReport, type RowReport } from "./row-report.ts";
import type { FormatName } from "./source.ts";

const COLUMNS = ["line", "id", "status", "column", "message", "subscription", "currency", "monthly", "next_invoice"];

/** The status of a row in a report. A dry run imports no row. */
const statusOf = ({ status }: RowOutcome, isDry: boolean) => (isDry && status === "imported" ? "importable" : status);

function csvOf(outcome: RowOutcome, isDry: boolean): string {
  const { line, id } = outcome;
  const status = statusOf(outcome, isDry);
  const none = [null, null, null, null];
  if (outcome.status === "faulty")
    return outcome.faults.map(({ column, message }) => csvLine([line, id, status, column, message, ...none])).join("");
  const { money, changed, subscriptionId } = outcome;
  const amounts = money === null ? [null, null, null] : [money.currency, ...amountsOf(money)];
  const message = changed.length === 0 ? null : changedText(changed);
  return csvLine([
    line,
    id,
    status,
    null,
    message,
    isDry && status === "importable" ? null : subscriptionId,
    ...amounts,
  ]);
}

const amountsOf = ({ currency, monthly, next }: { currency: string; monthly: number; next: number }) => [
  majorUnits(monthly, currency),
  majorUnits(next, currency),
];

const changedText = (changed: readonly string[]) =>
  `The row was imported with other values, and stays as it is here: ${changed.join(", ")}.`;

function jsonOf(outcome: RowOutcome, isDry: boolean): object {
  const { line, id } = outcome;
  const common = { line, id, status: statusOf(outcome, isDry) };
  if (outcome.status === "faulty") return { ...common, faults: outcome.faults };
  const { changed, money, subscriptionId } = outcome;
  const subscription = common.status === "importable" ? null : subscriptionId;
  return { ...common, changed, subscription, money: money && { ...money, nextInvoice: money.next, next: undefined } };
}

export type CsvReport = RowReport<RowOutcome, [sums: CsvSums]>;

/** The sums as JSON, in the order of the currencies. */
export const sumsOf = ({ money, ...sums }: CsvSums) => ({
  ...sums,
  money: sortedMoney(money).map(([currency, { subscriptions, monthly, next }]) => {
    return { currency, subscriptions, monthly, nextInvoices: next };
  }),
});

const sortedMoney = (money: CsvSums["money"]) => [...money].sort(([one], [other]) => (one < other ? -1 : 1));

/** Null: people read the sums and the first faults. */
export function reportOf(format: FormatName, isDry: boolean): CsvReport | null {
  if (format === "text") return null;
  if (format === "csv") return csvReport(COLUMNS, (outcome) => csvOf(outcome, isDry));
  return jsonReport((outcome) => jsonOf(outcome, isDry), sumsOf);
}

/** A fault for people: `line 7 (row-12), email: This is not an e-mail address.` */
export const faultLines = ({ line, id }: RowOutcome, faults: readonly { column: string | null; message: string }[]) =>
  faults.map(
    ({ column, message }) =>
      `line ${line}${id === null ? "" : ` (${id})`}${column === null ? "" : `, ${column}`}: ${message}`,
  );
export const changedLine = ({ line, id }: RowOutcome, changed: readonly string[]) =>
  `line ${line} (${id}): ${changedText(changed)}`;

/** The sums for people. */
export function summaryOf(sums: CsvSums, isDry: boolean): string {
  const { rows, customers, imported, found, changed, faulty } = sums;
  const done = isDry ? "can be imported" : "imported";
  return [
    `${counted(rows, "row")} of ${counted(customers, "Customer")}: ${imported} ${done}, ` +
      `${found} imported before (${changed} changed since), ${faulty} with faults.`,
    "",
    table(
      ["CURRENCY", "SUBSCRIPTIONS", "A MONTH", "NEXT INVOICES"],
      sortedMoney(sums.money).map(([currency, { subscriptions, monthly, next }]) => [
        currency,
        String(subscriptions),
        formatMoney(monthly, currency),
        formatMoney(next, currency),
      ]),
      "There is no Subscription.",
    ),
    "A month: before discounts and taxes. Next invoices: after both, before balances. Trials count.",
  ].join("\n");
}
