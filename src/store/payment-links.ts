import type { CountedPaymentLink, PaymentLink } from "../domain/model/payment-link.ts";
import type { ListPaymentLinksQuery } from "../resources/payment-link.ts";
import { arraysSql, withArrays } from "./driver/batch-forms.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";

// `visits` is no column of these rows: an edit of a link writes all of them, and must not lose a visit.
export const paymentLinks = defineTable<PaymentLink>("payment_links", {
  organizationId: "plain",
  id: "plain",
  key: "plain",
  name: "plain",
  productIds: "plain",
  currency: "plain",
  quantity: "plain",
  quantityChange: "json",
  discountCode: "plain",
  allowDiscountCodes: "plain",
  locale: "plain",
  successUrl: "plain",
  fields: "json",
  metadata: "json",
  active: "plain",
  version: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const COUNTED = `SELECT ${paymentLinks.columns("l")}, l.visits, c.checkouts, c.purchases
   FROM payment_links l
   CROSS JOIN LATERAL (
     SELECT count(*) AS checkouts, count(*) FILTER (WHERE ch.status = 'completed') AS purchases
     FROM checkouts ch WHERE ch.organization_id = $1 AND ch.payment_link_id = l.id
   ) c
   WHERE l.organization_id = $1`;

const countedStatement = sql("payment_links.counted", `${COUNTED} AND l.id = $2`);
const byKeyStatement = sql(
  "payment_links.by_key",
  `SELECT ${paymentLinks.columns()} FROM payment_links WHERE organization_id = $1 AND key = $2`,
);
const list = filteredList<CountedPaymentLink, "cursor" | "key" | "productId" | "active">({
  name: "payment_links.list",
  select: COUNTED,
  order: "l.id DESC",
  values: {
    cursor: (value) => `l.id < ${value}`,
    key: (value) => `l.key = ${value}`,
    productId: (value) => `${value} = ANY(l.product_ids)`,
    active: (value) => `l.active = ${value}::boolean`,
  },
});
const addVisitsStatement = arraysSql(
  "payment_links.add_visits",
  { id: "text", visits: "integer" },
  (rows, keyOf) =>
    `UPDATE payment_links l SET visits = l.visits + r.visits FROM ${rows}
     WHERE l.organization_id = ${keyOf("r")} AND l.id = r.id`,
);

export async function findPaymentLink(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<CountedPaymentLink | null> {
  return (await db.query<CountedPaymentLink>(countedStatement, [organizationId, id]))[0] ?? null;
}

export async function findPaymentLinkByKey(
  db: Queryable,
  organizationId: string,
  key: string,
): Promise<PaymentLink | null> {
  return (await db.query<PaymentLink>(byKeyStatement, [organizationId, key]))[0] ?? null;
}

/** Newest first; returns one row more than the page holds. */
export function listPaymentLinks(
  db: Queryable,
  organizationId: string,
  query: ListPaymentLinksQuery,
): Promise<CountedPaymentLink[]> {
  return list(db, organizationId, query);
}

/** The visits of one link since they were last written. */
export type Visits = { organizationId: string; id: string; visits: number };

/** Adds visits to the counts of links, in the order of their ids, so that two processes never wait for each other. */
export function addVisits(tx: Tx, visits: readonly Visits[]): void {
  if (visits.length === 0) return;
  const ordered = visits.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  tx.send(
    ...withArrays(
      tx,
      addVisitsStatement,
      ordered,
      ({ id }) => id,
      ({ visits: count }) => count,
    ),
  );
}
