import { BYTE_ORDER_MARK, csvLine, type CsvValue } from "../../../csv.ts";
import { formatInstant, type Instant } from "../../../domain/calendar.ts";
import type { ImportRun } from "../../../domain/import/import.ts";
import { amountCell } from "./amount.ts";
import type { ReportRow } from "./page.ts";
import { snapshotText } from "./snapshot.ts";

const timeOf = (at: Instant | null): string | null => (at === null ? null : formatInstant(at));

const differenceOf = ({ ownTotal, expectedTotal }: ReportRow): number | null =>
  ownTotal === null || expectedTotal === null ? null : ownTotal - expectedTotal;

/** The columns of the CSV. Amounts are in major units. */
const CSV: Readonly<Record<string, (row: ReportRow) => CsvValue>> = {
  source: ({ source }) => source,
  account: ({ account }) => account,
  subscription: ({ ref }) => ref,
  customer: ({ customerRef }) => customerRef,
  state: ({ state }) => state,
  reasons: ({ reasons }) => reasons.join(" "),
  problem: ({ problem }) => problem,
  currency: ({ currency }) => currency.toUpperCase(),
  monthly: ({ monthly, currency }) => amountCell(monthly, currency),
  next_charge_at: ({ nextChargeAt }) => timeOf(nextChargeAt),
  total_there: ({ expectedTotal, currency }) => amountCell(expectedTotal, currency),
  total_here: ({ ownTotal, currency }) => amountCell(ownTotal, currency),
  difference: (row) => amountCell(differenceOf(row), row.currency),
  causes: ({ causes }) => causes.join(" "),
  accepted: ({ accepted }) => (accepted ? "yes" : "no"),
  balance_moved: ({ balanceMoved, currency }) => amountCell(balanceMoved, currency),
  customer_id: ({ customerId }) => customerId,
  customer_email: ({ customer }) => customer?.email ?? null,
  subscription_id: ({ subscriptionId }) => subscriptionId,
  stopping_at: ({ stoppingAt }) => timeOf(stoppingAt),
  stopped_at: ({ stoppedAt }) => timeOf(stoppedAt),
  moved_at: ({ movedAt }) => timeOf(movedAt),
  finished_at: ({ finishedAt }) => timeOf(finishedAt),
  checked_at: ({ checkedAt }) => timeOf(checkedAt),
  created_at: ({ createdAt }) => timeOf(createdAt),
  updated_at: ({ updatedAt }) => timeOf(updatedAt),
};

/** A row as JSON. Amounts are in minor units. */
function resourceOf(row: ReportRow) {
  return {
    source: row.source,
    account: row.account,
    subscription: row.ref,
    customer: row.customerRef,
    state: row.state,
    reasons: row.reasons,
    problem: row.problem,
    currency: row.currency,
    monthly: row.monthly,
    nextChargeAt: timeOf(row.nextChargeAt),
    totalThere: row.expectedTotal,
    totalHere: row.ownTotal,
    difference: differenceOf(row),
    causes: row.causes,
    accepted: row.accepted,
    balanceMoved: row.balanceMoved,
    customerId: row.customerId,
    customerEmail: row.customer?.email ?? null,
    subscriptionId: row.subscriptionId,
    stoppingAt: timeOf(row.stoppingAt),
    stoppedAt: timeOf(row.stoppedAt),
    movedAt: timeOf(row.movedAt),
    finishedAt: timeOf(row.finishedAt),
    checkedAt: timeOf(row.checkedAt),
    createdAt: timeOf(row.createdAt),
    updatedAt: timeOf(row.updatedAt),
    snapshot: row.snapshot && (JSON.parse(snapshotText(row.snapshot)) as object),
  };
}

/** The texts of a file: one before the first row, one for each page of rows, and one after the last row. */
export type FileFormat = {
  type: string;
  beginning(runs: readonly ImportRun[]): string;
  page(rows: readonly ReportRow[], isFirst: boolean): string;
  end: string;
};

const runOf = ({ source, account, step, startedAt, finishedAt, sums }: ImportRun) => ({
  source,
  account,
  step,
  startedAt: formatInstant(startedAt),
  finishedAt: timeOf(finishedAt),
  sums,
});

export const FILES: Readonly<Record<"csv" | "json", FileFormat>> = {
  csv: {
    type: "text/csv; charset=utf-8; header=present",
    beginning: () => BYTE_ORDER_MARK + csvLine(Object.keys(CSV)),
    page: (rows) => rows.map((row) => csvLine(Object.values(CSV).map((value) => value(row)))).join(""),
    end: "",
  },
  json: {
    type: "application/json",
    beginning: (runs) => `{"runs":${JSON.stringify(runs.map(runOf))},\n"data":[`,
    page: (rows, isFirst) =>
      rows.map((row, n) => `${isFirst && n === 0 ? "\n" : ",\n"}${JSON.stringify(resourceOf(row))}`).join(""),
    end: "\n]}\n",
  },
};
