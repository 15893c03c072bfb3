import { SANDBOX } from "../domain/model/payment-outcome.ts";
import type { LateRefund, Refund } from "../domain/model/refund.ts";
import type { ListRefundsQuery } from "../resources/refund.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList, type CreatedSpan } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";

export const refunds = defineTable<Refund>("refunds", {
  organizationId: "plain",
  id: "plain",
  purpose: "plain",
  origin: "plain",
  invoiceId: "plain",
  customerId: "plain",
  paymentId: "plain",
  status: "plain",
  amount: "plain",
  taxAmount: "plain",
  currency: "plain",
  to: "plain",
  reason: "plain",
  revokeGrants: "plain",
  lines: "json",
  fromBalance: "plain",
  taken: "json",
  freed: "json",
  sources: "json",
  rateLowered: "plain",
  periodNumber: "plain",
  creditNoteId: "plain",
  providerRef: "plain",
  failureCode: "plain",
  failedAt: "instant",
  failedLate: "plain",
  checkAt: "instant",
  checks: "plain",
  settledAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const ofInvoicesStatement = sql(
  "refunds.of_invoices",
  `SELECT ${refunds.columns()} FROM refunds WHERE organization_id = $1 AND invoice_id = ANY($2) ORDER BY id`,
);
const dueStatement = sql(
  "refunds.due",
  `SELECT r.organization_id AS "organizationId", r.id FROM refunds r
   LEFT JOIN payments p ON p.organization_id = r.organization_id AND p.id = r.payment_id
   WHERE r.check_at <= statement_timestamp() AND ($2 OR p.provider = '${SANDBOX}') ORDER BY r.check_at LIMIT $1`,
);
const unsettledStatement = sql(
  "refunds.unsettled",
  `SELECT id FROM refunds WHERE organization_id = $1 AND check_at IS NOT NULL ORDER BY id`,
);
// The lots name the refunds that failed late. A lot that is used up is no problem any more.
const lateStatement = sql(
  "refunds.late",
  `SELECT r.id, r.failed_at AS "failedAt", e.currency, e.remaining
   FROM (
     SELECT refund_id, currency, sum(remaining)::bigint AS remaining FROM balance_entries
     WHERE organization_id = $1 AND source = 'refund_failed' AND remaining > 0 AND refund_id IS NOT NULL
     GROUP BY refund_id, currency
   ) e JOIN refunds r ON r.organization_id = $1 AND r.id = e.refund_id AND r.failed_late
   ORDER BY r.failed_at DESC, r.id DESC LIMIT 50`,
);
const reportedStatement = sql(
  "refunds.reported",
  `SELECT 1 AS found FROM refunds WHERE organization_id = $1 AND provider_ref = $2 AND origin = 'provider' LIMIT 1`,
);
// A compare-and-set lease, like that of payments.
const leaseStatement = sql(
  "refunds.lease",
  `UPDATE refunds SET check_at = statement_timestamp() + $3 * interval '1 millisecond'
   WHERE organization_id = $1 AND id = $2 AND check_at <= statement_timestamp() RETURNING 1 AS leased`,
);
const forgetReasonsStatement = sql(
  "refunds.forget_reasons",
  `UPDATE refunds SET reason = NULL WHERE organization_id = $1 AND customer_id = $2 AND reason IS NOT NULL`,
);
type RefundFilter = "cursor" | "customerId" | "externalCustomerId" | "subscriptionId" | "invoiceId" | "paymentId";
const list = filteredList<Refund, RefundFilter, "status" | "to" | "purpose">({
  name: "refunds.list",
  select: `SELECT ${refunds.columns("r")} FROM refunds r
   JOIN customers c ON (c.organization_id, c.id) = (r.organization_id, r.customer_id)
   LEFT JOIN invoices i ON (i.organization_id, i.id) = (r.organization_id, r.invoice_id)
   WHERE r.organization_id = $1`,
  order: "r.id DESC",
  created: { table: "refunds", alias: "r" },
  values: {
    cursor: (value) => `r.id < ${value}`,
    customerId: (value) => `r.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    subscriptionId: (value) => `i.subscription_id = ${value}`,
    invoiceId: (value) => `r.invoice_id = ${value}`,
    paymentId: (value) => `r.payment_id = ${value}`,
  },
  words: {
    status: (word) => `r.status = '${word}'`,
    to: (word) => `r."to" = '${word}'`,
    purpose: (word) => `r.purpose = '${word}'`,
  },
});

/** Every refund of these invoices, oldest first, failed ones included. */
export async function refundsOf(db: Queryable, organizationId: string, ...invoiceIds: string[]): Promise<Refund[]> {
  return db.query<Refund>(ofInvoicesStatement, [organizationId, invoiceIds]);
}

/**
 * Refunds that are due, in real time, for a call or a status query to the provider. `atConnected`: whether refunds at
 * connected providers are included.
 */
export async function dueRefunds(
  db: Queryable,
  limit: number,
  atConnected = true,
): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueStatement, [limit, atConnected]);
}

/** Refunds that failed late and whose own credit is not used up, latest failure first, 50 at most. */
export async function lateRefunds(db: Queryable, organizationId: string): Promise<LateRefund[]> {
  return db.query<LateRefund>(lateStatement, [organizationId]);
}

/** Whether a refund that was made at the provider is recorded. `ref`: the provider's own id. */
export async function isReported(db: Queryable, organizationId: string, ref: string): Promise<boolean> {
  return (await db.query(reportedStatement, [organizationId, ref])).length > 0;
}

/** Refunds of an Organization that await their outcome. */
export async function unsettledRefunds(db: Queryable, organizationId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(unsettledStatement, [organizationId])).map((row) => row.id);
}

/** Leases a due refund for `milliseconds`; false if another process holds it. */
export async function leaseRefund(tx: Tx, organizationId: string, id: string, milliseconds: number): Promise<boolean> {
  return (await tx.query(leaseStatement, [organizationId, id, milliseconds])).length > 0;
}

/** Blanks the reasons that operators wrote for a Customer's refunds (rule I5m). */
export function forgetReasons(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(forgetReasonsStatement, [organizationId, customerId]);
}

/** Newest first; returns one row more than the page holds. */
export async function listRefunds(
  db: Queryable,
  organizationId: string,
  query: ListRefundsQuery & CreatedSpan,
): Promise<Refund[]> {
  return list(db, organizationId, query);
}
