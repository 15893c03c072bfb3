import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { CsvRow, CsvTerms } from "../../domain/import/csv-terms.ts";

/**
 * An imported row, to tell a changed row of a later run. The Customer's data is a digest, so that the deletion of the
 * Customer leaves no data behind (rule I5m).
 */
export type RowSnapshot = { customer: string; balance: CsvRow["balance"]; terms: CsvTerms | null };

/** The texts of the Customer's data in one order. */
function textsOf({ billingAddress, taxId, metadata, ...own }: CsvRow["customer"]): string[] {
  const values = Object.values({ ...own, ...billingAddress, tax: taxId?.value });
  const entries = Object.entries(metadata).flat();
  return [...values.map((value) => String(value ?? "")), ...entries.map(String)];
}

const digest = ({ id, customer }: CsvRow) =>
  createHash("sha256")
    .update([id, ...textsOf(customer)].join("\0"))
    .digest("base64url");

export const snapshotOf = (row: CsvRow): RowSnapshot => ({
  customer: digest(row),
  balance: row.balance,
  terms: row.terms,
});

const COLUMNS = {
  productKey: "product",
  quantity: "quantity",
  amount: "amount",
  currency: "currency",
  startedAt: "started_at",
  periodStart: "period_start",
  periodEnd: "period_end",
  trialEnd: "trial_end",
  cancelAt: "ends_at",
  discountCode: "discount_code",
  discountUntil: "discount_until",
  metadata: "metadata",
} as const satisfies Record<keyof CsvTerms, string>;
const NAMES = Object.keys(COLUMNS) as (keyof CsvTerms)[];

/** The columns in which a row differs from its import; `customer` stands for all columns of the Customer. */
export function changedColumns(snapshot: RowSnapshot, row: CsvRow): string[] {
  const now = snapshotOf(row);
  const isOther = (one: unknown, other: unknown) => !isDeepStrictEqual(one ?? null, other ?? null);
  // In a trial, the end of the period is the end of the trial.
  const names = NAMES.filter((name) => name !== "periodEnd" || (now.terms?.trialEnd ?? null) === null);
  return [
    ...(snapshot.customer === now.customer ? [] : ["customer"]),
    ...names.filter((name) => isOther(snapshot.terms?.[name], now.terms?.[name])).map((name) => COLUMNS[name]),
    ...(isOther(snapshot.balance, now.balance) ? ["balance"] : []),
  ];
}
