import type { Payment } from "../domain/payment.ts";
import type { ListPaymentsQuery } from "../resources/payment.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const payments = defineTable<Payment>("payments", {
  organizationId: "plain",
  id: "plain",
  kind: "plain",
  status: "plain",
  customerId: "plain",
  sourceId: "plain",
  checkoutId: "plain",
  changeId: "plain",
  invoiceId: "plain",
  subscriptionId: "plain",
  amount: "plain",
  currency: "plain",
  trigger: "plain",
  paymentMethodId: "plain",
  method: "json",
  actionUrl: "plain",
  failureCode: "plain",
  checkAt: "instant",
  checks: "plain",
  abandoned: "plain",
  inPresence: "plain",
  request: "json",
  settledAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

/** As the index `payments_live` has it, where a source has one row at the most. */
const IS_LIVE_OR_WON = "status IN ('pending', 'requires_action', 'unknown', 'succeeded')";
/** Attempts at a Checkout, a change or an invoice: one index has the failed ones, another index has all others. */
export const hasSource = (p: string, id: string) => `${p}.source_id = ${id} AND (${p}.status = 'failed' OR ${p}.${IS_LIVE_OR_WON})`;
/** Attempts at an invoice, and the charges of a Checkout or of a change that the invoice was made for afterwards. */
const isFor = (p: string, id: string) =>
  `${p}.invoice_id = ${id} AND ((${hasSource(p, id)}) OR (${p}.invoice_id = ${id} AND ${p}.invoice_id <> ${p}.source_id))`;

const liveStatement = sql(
  "payments.live",
  `SELECT ${payments.columns()} FROM payments
   WHERE organization_id = $1 AND source_id = $2 AND status IN ('pending', 'requires_action', 'unknown')`,
);
const dueStatement = sql(
  "payments.due",
  `SELECT organization_id AS "organizationId", id FROM payments WHERE check_at <= statement_timestamp() ORDER BY check_at LIMIT $1`,
);
// `check_at` is there until they are settled: by it the few of them are found among the many that are.
const unsettledStatement = sql(
  "payments.unsettled",
  `SELECT id FROM payments
   WHERE organization_id = $1 AND check_at IS NOT NULL
     AND (status IN ('pending', 'unknown') OR (status = 'requires_action' AND abandoned))
   ORDER BY id`,
);
// A compare-and-set lease: whoever moves check_at on may call the provider; a crash leaves the row due again when it has run out.
const leaseStatement = sql(
  "payments.lease",
  `UPDATE payments SET check_at = clock_timestamp() + $3 * interval '1 millisecond'
   WHERE organization_id = $1 AND id = $2 AND check_at <= clock_timestamp() RETURNING 1 AS leased`,
);
const postponeStatement = sql(
  "payments.postpone",
  `UPDATE payments SET check_at = clock_timestamp() + $3 * interval '1 millisecond', checks = checks + 1
   WHERE organization_id = $1 AND id = $2 AND check_at IS NOT NULL`,
);

/** The attempt on this Checkout, change or invoice that is not settled yet; at most one exists (rule D1). */
export async function liveAttempt(db: Queryable, organizationId: string, sourceId: string): Promise<Payment | null> {
  return (await db.query<Payment>(liveStatement, [organizationId, sourceId]))[0] ?? null;
}

/** Payments whose provider is to be called or asked by now, in real time. */
export async function duePayments(db: Queryable, limit: number): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueStatement, [limit]);
}

const challengedStatement = sql(
  "payments.challenged",
  `SELECT id FROM payments WHERE organization_id = $1 AND check_at IS NOT NULL AND status = 'requires_action' ORDER BY id`,
);

/** Payments of an Organization that wait for a buyer to authenticate. */
export async function challengedPayments(db: Queryable, organizationId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(challengedStatement, [organizationId])).map((row) => row.id);
}

/** Payments of an Organization whose outcome is still to come, and that don't wait for a buyer. */
export async function unsettledPayments(db: Queryable, organizationId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(unsettledStatement, [organizationId])).map((row) => row.id);
}

/** Takes a due payment for `milliseconds`; false when somebody else has it. */
export async function leasePayment(tx: Tx, organizationId: string, id: string, milliseconds: number): Promise<boolean> {
  return (await tx.query(leaseStatement, [organizationId, id, milliseconds])).length > 0;
}

/** Looks at an unsettled payment again in `milliseconds` of real time. */
export async function postponePayment(tx: Tx, organizationId: string, id: string, milliseconds: number): Promise<void> {
  await tx.query(postponeStatement, [organizationId, id, milliseconds]);
}

// A Subscription's payments are found among those of its Customer, and a Checkout's by their source.
const listStatement = sql(
  "payments.list",
  `SELECT ${payments.columns("p")} FROM payments p
   JOIN customers c ON (c.organization_id, c.id) = (p.organization_id, p.customer_id)
   WHERE p.organization_id = $1 AND p.kind = 'charge' AND ($2::text IS NULL OR p.id < $2)
     AND ($3::text IS NULL OR p.customer_id = $3) AND ($4::text IS NULL OR c.external_id = $4)
     AND ($5::text IS NULL OR (p.subscription_id = $5
       AND p.customer_id = (SELECT customer_id FROM subscriptions WHERE organization_id = $1 AND id = $5)))
     AND ($6::text IS NULL OR ${isFor("p", "$6")}) AND ($7::text IS NULL OR (p.checkout_id = $7 AND ${hasSource("p", "$7")}))
     AND ($8::text IS NULL OR (p.status = $8 AND ($8 IN ('succeeded', 'failed') OR p.check_at IS NOT NULL)))
     AND ($9::text IS NULL OR p.trigger = $9)
   ORDER BY p.id DESC LIMIT $10`,
);

/** Charges, newest first, one more than the page holds. */
export async function listPayments(db: Queryable, organizationId: string, query: ListPaymentsQuery): Promise<Payment[]> {
  const { cursor, customerId, externalCustomerId, subscriptionId, invoiceId, checkoutId, status, trigger, limit } = query;
  const filters = [customerId, externalCustomerId, subscriptionId, invoiceId, checkoutId, status, trigger];
  return db.query<Payment>(listStatement, [organizationId, cursor, ...filters, limit + 1]);
}

const lastStatement = sql(
  "payments.last",
  `SELECT ${payments.columns("p")} FROM (
     (SELECT * FROM payments WHERE organization_id = $1 AND source_id = $2 AND ${IS_LIVE_OR_WON})
     UNION ALL
     (SELECT * FROM payments WHERE organization_id = $1 AND source_id = $2 AND status = 'failed' ORDER BY id DESC LIMIT 1)
   ) p ORDER BY p.id DESC LIMIT 1`,
);

/** The newest attempt on this Checkout, change or invoice. */
export async function lastAttempt(db: Queryable, organizationId: string, sourceId: string): Promise<Payment | null> {
  return (await db.query<Payment>(lastStatement, [organizationId, sourceId]))[0] ?? null;
}

const unsettledOfStatement = sql(
  "payments.unsettled_of",
  `SELECT id FROM payments WHERE organization_id = $1 AND customer_id = $2 AND status IN ('pending', 'unknown') ORDER BY id`,
);

/** Payments of a Customer whose outcome is still to come. */
export async function unsettledOf(db: Queryable, organizationId: string, customerId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(unsettledOfStatement, [organizationId, customerId])).map((row) => row.id);
}

const openOfStatement = sql(
  "payments.open_of",
  `SELECT ${payments.columns()} FROM payments WHERE organization_id = $1 AND customer_id = $2 AND settled_at IS NULL ORDER BY id`,
);

/** A Customer's payments that are not settled, those that wait for the buyer included. */
export async function openPaymentsOf(db: Queryable, organizationId: string, customerId: string): Promise<Payment[]> {
  return db.query<Payment>(openOfStatement, [organizationId, customerId]);
}

const capturedStatement = sql(
  "payments.captured",
  `SELECT ${payments.columns()} FROM payments
   WHERE organization_id = $1 AND ${isFor("payments", "$2")} AND kind = 'charge' AND status = 'succeeded'`,
);

/** The charge that was made for an invoice; null where no provider took anything. At most one exists (rule D1). */
export async function capturedFor(db: Queryable, organizationId: string, invoiceId: string): Promise<Payment | null> {
  return (await db.query<Payment>(capturedStatement, [organizationId, invoiceId]))[0] ?? null;
}

const failedOnPageStatement = sql(
  "payments.failed_on_page",
  "SELECT count(*) AS failed FROM payments WHERE organization_id = $1 AND source_id = $2 AND status = 'failed' AND in_presence",
);

/** How many attempts to pay this invoice on its page failed. */
export async function failedOnPage(db: Queryable, organizationId: string, invoiceId: string): Promise<number> {
  return (await db.query<{ failed: number }>(failedOnPageStatement, [organizationId, invoiceId]))[0]!.failed;
}
