import type { Redemption } from "../domain/billing/rows.ts";
import { codeKey, type Discount } from "../domain/model/discount.ts";
import type { ListDiscountsQuery } from "../resources/discount.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { defineTable, type Table } from "./driver/table.ts";

export const discounts = defineTable<Discount>("discounts", {
  organizationId: "plain",
  id: "plain",
  code: "plain",
  codeKey: "plain",
  type: "plain",
  basisPoints: "plain",
  amount: "plain",
  currency: "plain",
  duration: "plain",
  months: "plain",
  maxRedemptions: "plain",
  redemptions: "plain",
  startsAt: "instant",
  endsAt: "instant",
  productIds: "json",
  deletedAt: "instant",
  version: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const byCodeStatement = sql(
  "discounts.by_code",
  `SELECT ${discounts.columns()} FROM discounts WHERE organization_id = $1 AND code_key = $2 AND deleted_at IS NULL`,
);
const list = filteredList<Discount, "cursor" | "code">({
  name: "discounts.list",
  select: `SELECT ${discounts.columns()} FROM discounts WHERE organization_id = $1 AND deleted_at IS NULL`,
  order: "id DESC",
  values: { cursor: (value) => `id < ${value}`, code: (value) => `code_key = ${value}` },
});
const anyStatement = sql(
  "discounts.any",
  `SELECT 1 AS found FROM organizations o JOIN discounts d ON d.organization_id = $1
   WHERE o.id = $1 AND d.deleted_at IS NULL
     AND (d.ends_at IS NULL OR d.ends_at > COALESCE(o.clock_at, statement_timestamp())) LIMIT 1`,
);

const insertAllStatement = sql(
  "discount_redemptions.insert_all",
  `INSERT INTO discount_redemptions (organization_id, discount_id, checkout_id)
   SELECT organization_id, discount_id, checkout_id
   FROM unnest($1::text[], $2::text[], $3::text[]) AS r (organization_id, discount_id, checkout_id)`,
);
const deleteAllStatement = sql(
  "discount_redemptions.delete_all",
  `DELETE FROM discount_redemptions d USING unnest($1::text[], $2::text[], $3::text[]) AS r (organization_id,
    discount_id, checkout_id)
   WHERE d.organization_id = r.organization_id AND d.checkout_id = r.checkout_id AND d.discount_id = r.discount_id`,
);
// Several Customers of one batch may each take the last redemption. The remaining count would become -1, so the table
// refuses the update and the batch fails. The batch is repeated in halves: one Customer gets the redemption, and the
// other is refused.
const countAllStatement = sql(
  "discounts.count_all",
  `UPDATE discounts d
   SET redemptions = CASE WHEN r.taken > 0 AND d.redemptions + r.taken > d.max_redemptions THEN -1
   ELSE d.redemptions + r.taken END
   FROM (
     SELECT organization_id, id, sum(taken)::integer AS taken
     FROM unnest($1::text[], $2::text[], $3::integer[]) AS u (organization_id, id, taken)
     GROUP BY organization_id, id) r
   WHERE d.organization_id = r.organization_id AND d.id = r.id`,
);

const byDiscount = (rows: readonly Redemption[]) => [
  rows.map((row) => row.organizationId),
  rows.map((row) => row.discountId),
  rows.map((row) => row.id),
];

/** The redemptions of Discounts by Checkouts. They are never changed. All statements are sent without waiting. */
export const redemptions: Pick<Table<Redemption>, "insertAll" | "updateAll" | "deleteAll"> = {
  insertAll(tx, rows) {
    if (rows.length > 0) tx.send(insertAllStatement, byDiscount(rows));
  },
  updateAll(_, rows) {
    if (rows.length > 0) throw new Error("redemptions are never changed");
  },
  deleteAll(tx, rows) {
    if (rows.length > 0) tx.send(deleteAllStatement, byDiscount(rows));
  },
};

/**
 * Adds to the redemption counts of locked Discounts in one statement (rule X1). A count above the Discount's maximum
 * fails the transaction.
 */
export function countRedemptions(
  tx: Tx,
  counts: readonly { organizationId: string; id: string; taken: number }[],
): void {
  const values = [
    counts.map((each) => each.organizationId),
    counts.map((each) => each.id),
    counts.map((each) => each.taken),
  ];
  if (counts.length > 0) tx.send(countAllStatement, values);
}

/** The Discount with this code, compared by `codeKey`. Deleted Discounts are not found. */
export async function findDiscountByCode(
  db: Queryable,
  organizationId: string,
  code: string,
): Promise<Discount | null> {
  return (await db.query<Discount>(byCodeStatement, [organizationId, codeKey(code)]))[0] ?? null;
}

/** Newest first; returns one row more than the page holds. */
export async function listDiscounts(
  db: Queryable,
  organizationId: string,
  query: ListDiscountsQuery,
): Promise<Discount[]> {
  return list(db, organizationId, query);
}

/** Whether a Discount exists that is neither deleted nor, in billing time, past its end. */
export async function hasDiscounts(db: Queryable, organizationId: string): Promise<boolean> {
  return (await db.query(anyStatement, [organizationId])).length > 0;
}
