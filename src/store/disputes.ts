import type { Dispute } from "../domain/model/dispute.ts";
import type { ListDisputesQuery } from "../resources/dispute.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { filteredList, type CreatedSpan } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";

export const disputes = defineTable<Dispute>("disputes", {
  organizationId: "plain",
  id: "plain",
  paymentId: "plain",
  invoiceId: "plain",
  subscriptionId: "plain",
  customerId: "plain",
  status: "plain",
  reason: "plain",
  amount: "plain",
  currency: "plain",
  providerRef: "plain",
  evidenceDueAt: "instant",
  fee: "plain",
  feeCurrency: "plain",
  closedAt: "instant",
  cardClearedAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const ofInvoicesStatement = sql(
  "disputes.of_invoices",
  `SELECT ${disputes.columns()} FROM disputes WHERE organization_id = $1 AND invoice_id = ANY($2) ORDER BY id`,
);
type DisputeFilter = "cursor" | "customerId" | "externalCustomerId" | "subscriptionId" | "invoiceId" | "paymentId";
const list = filteredList<Dispute, DisputeFilter, "status">({
  name: "disputes.list",
  select: `SELECT ${disputes.columns("d")} FROM disputes d
   JOIN customers c ON (c.organization_id, c.id) = (d.organization_id, d.customer_id)
   WHERE d.organization_id = $1`,
  order: "d.id DESC",
  created: { table: "disputes", alias: "d" },
  values: {
    cursor: (value) => `d.id < ${value}`,
    customerId: (value) => `d.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    subscriptionId: (value) => `d.subscription_id = ${value}`,
    invoiceId: (value) => `d.invoice_id = ${value}`,
    paymentId: (value) => `d.payment_id = ${value}`,
  },
  words: { status: (word) => `d.status = '${word}'` },
});

/** Every dispute about the charges of these invoices, oldest first. */
export async function disputesOf(db: Queryable, organizationId: string, ...invoiceIds: string[]): Promise<Dispute[]> {
  return db.query<Dispute>(ofInvoicesStatement, [organizationId, invoiceIds]);
}

/** Newest first; returns one row more than the page holds. */
export async function listDisputes(
  db: Queryable,
  organizationId: string,
  query: ListDisputesQuery & CreatedSpan,
): Promise<Dispute[]> {
  return list(db, organizationId, query);
}
