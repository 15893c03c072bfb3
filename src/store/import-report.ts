import type { StayReason } from "../domain/import/stay-reasons.ts";
import type { ImportRow } from "../domain/import/import.ts";
import type { Amount } from "../domain/money.ts";
import { sql, type Queryable } from "./driver/db.ts";

/* The reports of imports, for people. No decision follows from these reads. */

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
  `SELECT i.source, i.account, i.state, i.currency,
     json_array_length(i.reasons) + json_array_length(i.causes) = 0 AS "isFree",
     i.own_total = i.expected_total AS "isEqual", i.accepted, count(*) AS count, sum(i.monthly)::bigint AS monthly
   FROM imports i WHERE i.organization_id = $1
   GROUP BY i.source, i.account, i.state, i.currency,
     json_array_length(i.reasons) + json_array_length(i.causes) = 0, i.own_total = i.expected_total, i.accepted
   ORDER BY i.source, i.account, i.state, i.currency`,
);

/**
 * The number of rows that are alike, and their money of a month. `isFree`: without a reason or a cause to stay.
 * `isEqual`: the totals of the next invoice; null: not compared yet.
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
