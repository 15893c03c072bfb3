import type { StayReason } from "../domain/import/stay-reasons.ts";
import type { ImportRow, ImportState } from "../domain/import/import.ts";
import type { Amount } from "../domain/money.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { READ } from "./imports.ts";

/* The reports of imports, for people. No decision follows from these reads. */

/** The totals of the next invoice in both systems. `open`: not compared yet. */
export const COMPARISONS = ["equal", "different", "open"] as const;
export type Comparison = (typeof COMPARISONS)[number];

const COMPARED: Readonly<Record<string, string>> = {
  equal: "i.own_total = i.expected_total",
  different: "i.own_total <> i.expected_total",
  open: "(i.own_total IS NULL OR i.expected_total IS NULL)",
};

/** `id`: of the subscription or its Customer, there or here. `cursor`: `cursorOf` a row. */
export type ReportFilters = {
  account?: string;
  cursor?: string;
  emailKey?: string;
  id?: string;
  reason?: StayReason;
  state?: ImportState;
  totals?: Comparison;
};

const list = filteredList<ImportRow, "account" | "cursor" | "emailKey" | "id" | "reason", "state" | "totals">({
  name: "imports.report",
  select: `${READ} WHERE i.organization_id = $1`,
  order: "i.source, i.account, i.ref",
  values: {
    account: (value) => `i.account = ${value}`,
    cursor: (value) =>
      `(i.source, i.account, i.ref) > (${value}::json ->> 0, ${value}::json ->> 1, ${value}::json ->> 2)`,
    emailKey: (value) =>
      `i.customer_id IN (SELECT c.id FROM customers c WHERE c.organization_id = $1 AND c.email_key = ${value})`,
    id: (value) => `${value} IN (i.ref, i.customer_ref, i.subscription_id, i.customer_id)`,
    reason: (value) => `i.reasons::jsonb @> to_jsonb(${value}::text)`,
  },
  words: { state: (word) => `i.state = '${word}'`, totals: (word) => COMPARED[word]! },
});

/** The rows of these filters by source, account and id; returns one row more than the page holds. */
export const listReport = (
  db: Queryable,
  organizationId: string,
  query: ReportFilters & { limit: number },
): Promise<ImportRow[]> => list(db, organizationId, query);

/** Whether PostgreSQL can compare this text. */
export const isComparable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Whether a text is a cursor of `cursorOf`. */
export function isCursor(text: string): boolean {
  try {
    const key: unknown = JSON.parse(text);
    return (
      Array.isArray(key) && key.length === 3 && key.every((each) => typeof each === "string" && isComparable(each))
    );
  } catch {
    return false;
  }
}

const sumsStatement = sql(
  "imports.report_sums",
  `SELECT i.source, i.account, i.state, i.currency, json_array_length(i.reasons) = 0 AS "isFree",
     i.own_total = i.expected_total AS "isEqual", i.accepted, count(*) AS count, sum(i.monthly)::bigint AS monthly
   FROM imports i WHERE i.organization_id = $1
   GROUP BY i.source, i.account, i.state, i.currency, json_array_length(i.reasons) = 0,
     i.own_total = i.expected_total, i.accepted
   ORDER BY i.source, i.account, i.state, i.currency`,
);

/**
 * The number of rows that are alike, and their money of a month. `isFree`: without a reason to stay. `isEqual`: the
 * totals of the next invoice; null: not compared yet.
 */
export type ReportSum = Pick<ImportRow, "account" | "accepted" | "currency" | "source" | "state"> & {
  isFree: boolean;
  isEqual: boolean | null;
  count: number;
  monthly: Amount;
};

/** The sums of all rows, as the rows are now. */
export function readReportSums(db: Queryable, organizationId: string): Promise<ReportSum[]> {
  return db.query<ReportSum>(sumsStatement, [organizationId]);
}

const reasonsStatement = sql(
  "imports.report_reasons",
  `SELECT i.source, i.account, r.reason, count(*) AS count
   FROM imports i CROSS JOIN LATERAL json_array_elements_text(i.reasons) AS r (reason)
   WHERE i.organization_id = $1 GROUP BY i.source, i.account, r.reason
   ORDER BY i.source, i.account, count(*) DESC, r.reason`,
);

/** The number of rows with a reason to stay. */
export type ReasonCount = Pick<ImportRow, "account" | "source"> & { reason: StayReason; count: number };

export function countReasons(db: Queryable, organizationId: string): Promise<ReasonCount[]> {
  return db.query<ReasonCount>(reasonsStatement, [organizationId]);
}
