import type { Dispute } from "../domain/dispute/dispute.ts";
import type { ListDisputesQuery } from "../resources/dispute.ts";
import { sql, type Queryable } from "./db.ts";
import { defineTable } from "./table.ts";

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
const listStatement = sql(
  "disputes.list",
  `SELECT ${disputes.columns("d")} FROM disputes d
   JOIN customers c ON (c.organization_id, c.id) = (d.organization_id, d.customer_id)
   WHERE d.organization_id = $1 AND ($2::text IS NULL OR d.id < $2)
     AND ($3::text IS NULL OR d.customer_id = $3) AND ($4::text IS NULL OR c.external_id = $4)
     AND ($5::text IS NULL OR d.subscription_id = $5) AND ($6::text IS NULL OR d.invoice_id = $6)
     AND ($7::text IS NULL OR d.payment_id = $7) AND ($8::text IS NULL OR d.status = $8)
   ORDER BY d.id DESC LIMIT $9`,
);

/** Every dispute about the charges of these invoices, oldest first. */
export async function disputesOf(db: Queryable, organizationId: string, ...invoiceIds: string[]): Promise<Dispute[]> {
  return db.query<Dispute>(ofInvoicesStatement, [organizationId, invoiceIds]);
}

/** Newest first; returns one row more than the page holds. */
export async function listDisputes(
  db: Queryable,
  organizationId: string,
  query: ListDisputesQuery,
): Promise<Dispute[]> {
  const { cursor, customerId, externalCustomerId, subscriptionId, invoiceId, paymentId, status, limit } = query;
  const filters = [customerId, externalCustomerId, subscriptionId, invoiceId, paymentId, status];
  return db.query<Dispute>(listStatement, [organizationId, cursor, ...filters, limit + 1]);
}
