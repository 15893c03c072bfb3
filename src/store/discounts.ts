import { isId } from "../ids.ts";
import type { Redemption } from "../domain/billing/rows.ts";
import { codeKey, type Discount } from "../domain/model/discount.ts";
import type { ListDiscountsQuery } from "../resources/discount.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { arraysSql, withArrays } from "./driver/batch-forms.ts";
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

const giveAllStatement = sql(
  "discount_gifts.insert_all",
  `INSERT INTO discount_gifts (organization_id, discount_id, subscription_id)
   SELECT organization_id, discount_id, subscription_id
   FROM unnest($1::text[], $2::text[], $3::text[]) AS r (organization_id, discount_id, subscription_id)`,
);
const insertAllStatement = sql(
  "discount_redemptions.insert_all",
  `INSERT INTO discount_redemptions (organization_id, discount_id, checkout_id)
   SELECT organization_id, discount_id, checkout_id
   FROM unnest($1::text[], $2::text[], $3::text[]) AS r (organization_id, discount_id, checkout_id)`,
);
const deleteAllStatement = arraysSql(
  "discount_redemptions.delete_all",
  { discount_id: "text", checkout_id: "text" },
  (rows, keyOf) =>
    `DELETE FROM discount_redemptions d USING ${rows}
     WHERE d.organization_id = ${keyOf("r")} AND d.checkout_id = r.checkout_id AND d.discount_id = r.discount_id`,
);
// Several Customers of one batch may each take the last redemption. The remaining count would become -1, so the table
// refuses the update and the batch fails. The batch is repeated in halves: one Customer gets the redemption, and the
// other is refused.
const countAllStatement = arraysSql(
  "discounts.count_all",
  { id: "text", taken: "integer" },
  (rows, keyOf) =>
    `UPDATE discounts d
     SET redemptions = CASE WHEN s.taken > 0 AND d.redemptions + s.taken > d.max_redemptions THEN -1
     ELSE d.redemptions + s.taken END
     FROM (
       SELECT ${keyOf("r")} AS organization_id, r.id, sum(r.taken)::integer AS taken FROM ${rows} GROUP BY 1, 2) s
     WHERE d.organization_id = ${keyOf("s")} AND d.id = s.id`,
);

const isGift = ({ id }: Redemption) => isId("sub", id);

/**
 * The redemptions of Discounts by Checkouts, and by Subscriptions to which the seller gave them. They are never
 * changed, and a Subscription gives none back. All statements are sent without waiting.
 */
export const redemptions: Pick<Table<Redemption>, "insertAll" | "updateAll" | "deleteAll"> = {
  insertAll(tx, rows) {
    const [gifts, sales] = [rows.filter(isGift), rows.filter((row) => !isGift(row))];
    const columns = (of: readonly Redemption[]) =>
      (["organizationId", "discountId", "id"] as const).map((name) => of.map((row) => row[name]));
    if (sales.length > 0) tx.send(insertAllStatement, columns(sales));
    if (gifts.length > 0) tx.send(giveAllStatement, columns(gifts));
  },
  updateAll(_, rows) {
    if (rows.length > 0) throw new Error("redemptions are never changed");
  },
  deleteAll(tx, rows) {
    if (rows.length === 0) return;
    tx.send(
      ...withArrays(
        tx,
        deleteAllStatement,
        rows,
        ({ discountId }) => discountId,
        ({ id }) => id,
      ),
    );
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
  if (counts.length === 0) return;
  tx.send(
    ...withArrays(
      tx,
      countAllStatement,
      counts,
      ({ id }) => id,
      ({ taken }) => taken,
    ),
  );
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
