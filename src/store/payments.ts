import { CONNECTED_LEASE_MILLISECONDS, LEASE_MILLISECONDS } from "../domain/payment/attempt.ts";
import { REFUSALS, SANDBOX, type AccountRefusal } from "../domain/model/payment-outcome.ts";
import { purposesOf, type CardSnapshot, type Payment, type PaymentTrigger } from "../domain/model/payment.ts";
import type { ListPaymentsQuery } from "../resources/payment.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { joinPause } from "./payment-pauses.ts";
import { isNotHeld } from "./promotions.ts";
import { filteredList, type CreatedSpan } from "./driver/filtered-list.ts";
import { arraysSql, withArrays } from "./driver/batch-forms.ts";
import { defineTable } from "./driver/table.ts";

export const payments = defineTable<Payment>("payments", {
  organizationId: "plain",
  id: "plain",
  providerKey: "plain",
  purpose: "plain",
  status: "plain",
  customerId: "plain",
  sourceId: "plain",
  checkoutId: "plain",
  invoiceId: "plain",
  subscriptionId: "plain",
  amount: "plain",
  currency: "plain",
  provider: "plain",
  providerAccount: "plain",
  paymentMethodId: "plain",
  method: "json",
  actionUrl: "plain",
  failureCode: "plain",
  checkAt: "instant",
  checks: "plain",
  processing: "plain",
  abandoned: "plain",
  request: "json",
  settledAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const byProviderKeyStatement = sql(
  "payments.by_provider_key",
  `SELECT ${payments.columns()} FROM payments WHERE organization_id = $1 AND provider_key = $2`,
);

/** The payment with this key at the provider; null if there is none. */
export async function findByProviderKey(
  db: Queryable,
  organizationId: string,
  providerKey: string,
): Promise<Payment | null> {
  return (await db.query<Payment>(byProviderKeyStatement, [organizationId, providerKey]))[0] ?? null;
}

/** The condition of the unique index `payments_live`: a source has at most one such payment. */
const IS_LIVE_OR_WON = "status IN ('pending', 'requires_action', 'unknown', 'succeeded')";
/**
 * Attempts at a Checkout, a change or an invoice. Two conditions, because one index has the failed attempts and another
 * index has all others.
 */
export const hasSource = (p: string, id: string) =>
  `${p}.source_id = ${id} AND (${p}.status = 'failed' OR ${p}.${IS_LIVE_OR_WON})`;
/** Attempts at an invoice, and the charge of a Checkout or a change that the invoice was made for afterwards. */
export const isFor = (p: string, id: string) =>
  `${p}.invoice_id = ${id} AND ((${hasSource(p, id)}) OR (${p}.invoice_id = ${id}
    AND ${p}.invoice_id <> ${p}.source_id))`;

const liveStatement = sql(
  "payments.live",
  `SELECT ${payments.columns()} FROM payments
   WHERE organization_id = $1 AND source_id = $2 AND status IN ('pending', 'requires_action', 'unknown')`,
);
// The due payments that have waited longest, taking the Organizations in turn. So an Organization with very many due
// payments does not keep the others waiting.
const dueStatement = sql(
  "payments.due",
  `SELECT organization_id AS "organizationId", id, customer_id AS "customerId" FROM (
     SELECT organization_id, id, customer_id, check_at, row_number() OVER (PARTITION BY organization_id
     ORDER BY check_at) AS turn
     FROM (SELECT organization_id, id, customer_id, check_at FROM payments
       WHERE check_at <= statement_timestamp() AND ($2 OR provider = '${SANDBOX}') AND ${isNotHeld("payments")}
       ORDER BY check_at LIMIT $1) due
   ) waiting ORDER BY turn, check_at`,
);
// `check_at` is set until a payment is settled. The index on `check_at` finds the few unsettled payments among the many
// settled ones.
const unsettledStatement = sql(
  "payments.unsettled",
  `SELECT id FROM payments
   WHERE organization_id = $1 AND check_at IS NOT NULL
     AND (status IN ('pending', 'unknown') OR (status = 'requires_action' AND abandoned))
   ORDER BY id`,
);
/** A payment with the data for its provider call. `card`: the provider's id of the card. `seller`: its name for buyers. */
export type ChargeablePayment = Payment & {
  card: string | null;
  seller: string;
  payerEmail: string | null;
  payerName: string | null;
  /** The open pause of the payment's account, or nulls (rule D9). */
  pauseId: string | null;
  pauseReason: AccountRefusal | null;
};

const CHARGEABLE = `${payments.columns("p")}, m.provider_ref AS card,
  coalesce(o.branding->>'displayName', o.name) AS seller, c.email AS "payerEmail", c.name AS "payerName",
  z.id AS "pauseId", z.reason AS "pauseReason"`;
const joins = (p: string) =>
  `LEFT JOIN payment_methods m ON m.organization_id = ${p}.organization_id AND m.id = ${p}.payment_method_id
   JOIN customers c ON c.organization_id = ${p}.organization_id AND c.id = ${p}.customer_id
   JOIN organizations o ON o.id = ${p}.organization_id
   ${joinPause(p)}`;
const chargeableStatement = sql(
  "payments.chargeable",
  `SELECT ${CHARGEABLE} FROM payments p
   ${joins("p")}
   WHERE p.organization_id = $1 AND p.id = $2`,
);
const allChargeableStatement = sql(
  "payments.all_chargeable",
  `SELECT ${CHARGEABLE} FROM unnest($2::text[]) AS k (id)
   JOIN payments p ON p.organization_id = $1 AND p.id = k.id
   ${joins("p")}
   WHERE p.settled_at IS NULL ORDER BY p.id`,
);
// A compare-and-set lease: the process that moves check_at on may call the provider. After a crash the row is due again
// once the lease has run out. The `coalesce` keeps PostgreSQL from using the index on check_at, so the rows are found
// by their keys. A plan from before there were statistics could otherwise read all due rows. Rows that another
// transaction has locked are skipped, so two processes never deadlock.
const leaseStatement = arraysSql(
  "payments.lease",
  { id: "text" },
  (rows, keyOf) =>
    `UPDATE payments p SET check_at = statement_timestamp()
     + CASE WHEN p.provider = '${SANDBOX}' THEN $3::double precision ELSE $4 END * interval '1 millisecond'
   FROM (
     SELECT d.organization_id, d.id FROM ${rows} JOIN payments d ON d.organization_id = ${keyOf("r")} AND d.id = r.id
     WHERE coalesce(d.check_at, 'infinity') <= statement_timestamp() FOR UPDATE OF d SKIP LOCKED
   ) due
   JOIN payments l ON l.organization_id = ${keyOf("due")} AND l.id = due.id
   ${joins("l")}
   WHERE p.organization_id = ${keyOf("due")} AND p.id = due.id
   RETURNING ${CHARGEABLE}`,
);
/** The unsettled attempt at this Checkout, change or invoice. At most one exists (rule D1). */
export async function liveAttempt(db: Queryable, organizationId: string, sourceId: string): Promise<Payment | null> {
  return (await db.query<Payment>(liveStatement, [organizationId, sourceId]))[0] ?? null;
}

/**
 * Payments that are due, in real time, for a call or a status query to the provider. `atConnected`: whether payments at
 * connected providers are included.
 */
export async function duePayments(
  db: Queryable,
  limit: number,
  atConnected = true,
): Promise<{ organizationId: string; id: string; customerId: string }[]> {
  return db.query(dueStatement, [limit, atConnected]);
}

const challengedStatement = sql(
  "payments.challenged",
  `SELECT id FROM payments WHERE organization_id = $1 AND check_at IS NOT NULL AND status = 'requires_action'
    ORDER BY id`,
);

/** Payments of an Organization that wait for a buyer to authenticate. */
export async function challengedPayments(db: Queryable, organizationId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(challengedStatement, [organizationId])).map((row) => row.id);
}

/** Payments of an Organization that await their outcome, without those that wait for a buyer. */
export async function unsettledPayments(db: Queryable, organizationId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(unsettledStatement, [organizationId])).map((row) => row.id);
}

export async function findChargeable(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ChargeablePayment | null> {
  return (await db.query<ChargeablePayment>(chargeableStatement, [organizationId, id]))[0] ?? null;
}

/** The unsettled payments among these, in the order in which they were made. */
export function findAllChargeable(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ChargeablePayment[]> {
  return db.query<ChargeablePayment>(allChargeableStatement, [organizationId, ids]);
}

/** Leases the due payments among these, except those that another process holds. */
export async function leasePayments(
  tx: Tx,
  keys: readonly { organizationId: string; id: string }[],
): Promise<ChargeablePayment[]> {
  const [statement, values] = withArrays(tx, leaseStatement, keys, ({ id }) => id);
  return tx.query<ChargeablePayment>(statement, [...values, LEASE_MILLISECONDS, CONNECTED_LEASE_MILLISECONDS]);
}

// Finds the payments of a Subscription among those of its Customer, and the payments of a Checkout by their source.
type PaymentFilter = "cursor" | "customerId" | "externalCustomerId" | "subscriptionId" | "invoiceId" | "checkoutId";
const isSettled = (status: string) => status === "succeeded" || status === "failed";
const list = filteredList<Payment, PaymentFilter, "status" | "trigger">({
  name: "payments.list",
  select: `SELECT ${payments.columns("p")} FROM payments p
   JOIN customers c ON (c.organization_id, c.id) = (p.organization_id, p.customer_id)
   WHERE p.organization_id = $1 AND p.purpose <> 'setup'`,
  order: "p.id DESC",
  created: { table: "payments", alias: "p" },
  values: {
    cursor: (value) => `p.id < ${value}`,
    customerId: (value) => `p.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    subscriptionId: (value) => `(p.subscription_id = ${value}
       AND p.customer_id = (SELECT customer_id FROM subscriptions WHERE organization_id = $1 AND id = ${value}))`,
    invoiceId: (value) => isFor("p", value),
    checkoutId: (value) => `(p.checkout_id = ${value} AND ${hasSource("p", value)})`,
  },
  words: {
    status: (word) => `p.status = '${word}'${isSettled(word) ? "" : " AND p.check_at IS NOT NULL"}`,
    trigger: (word) =>
      `p.purpose IN (${purposesOf(word as PaymentTrigger)
        .map((each) => `'${each}'`)
        .join(", ")})`,
  },
});

/** Charges, newest first; returns one row more than the page holds. */
export async function listPayments(
  db: Queryable,
  organizationId: string,
  query: ListPaymentsQuery & CreatedSpan,
): Promise<Payment[]> {
  return list(db, organizationId, query);
}

const lastStatement = sql(
  "payments.last",
  `SELECT ${payments.columns("p")} FROM (
     (SELECT * FROM payments WHERE organization_id = $1 AND source_id = $2 AND ${IS_LIVE_OR_WON})
     UNION ALL
     (SELECT * FROM payments WHERE organization_id = $1 AND source_id = $2 AND status = 'failed' ORDER BY id DESC
     LIMIT 1)
   ) p ORDER BY p.id DESC LIMIT 1`,
);

/** The newest attempt at this Checkout, change or invoice. */
export async function lastAttempt(db: Queryable, organizationId: string, sourceId: string): Promise<Payment | null> {
  return (await db.query<Payment>(lastStatement, [organizationId, sourceId]))[0] ?? null;
}

const challengedCardsStatement = sql(
  "payments.challenged_cards",
  `SELECT DISTINCT p.payment_method_id AS id FROM payments p
   WHERE p.organization_id = $1 AND p.status = 'failed' AND p.failure_code = 'authentication_failed'
     AND p.payment_method_id IS NOT NULL
     AND p.source_id = ANY (ARRAY (
       SELECT $2::text UNION ALL SELECT c.id FROM changes c WHERE c.organization_id = $1 AND c.page_id = $2))`,
);

/**
 * The cards that a bank asked about when they were charged for the change of this Checkout: on its page, or for the
 * request whose 402 named the page.
 */
export async function challengedCards(db: Queryable, organizationId: string, checkoutId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(challengedCardsStatement, [organizationId, checkoutId])).map(({ id }) => id);
}

const failedStatement = sql(
  "payments.has_failed",
  `SELECT EXISTS (SELECT 1 FROM payments WHERE organization_id = $1 AND source_id = $2 AND status = 'failed')
     AS failed`,
);

/** Whether an attempt at this Checkout, change or invoice has failed. */
export async function hasFailed(db: Queryable, organizationId: string, sourceId: string): Promise<boolean> {
  return (await db.query<{ failed: boolean }>(failedStatement, [organizationId, sourceId]))[0]!.failed;
}

const unsettledOfStatement = sql(
  "payments.unsettled_of",
  `SELECT id FROM payments WHERE organization_id = $1 AND customer_id = $2 AND status IN ('pending', 'unknown')
    ORDER BY id`,
);

/** Payments of a Customer that await their outcome. */
export async function unsettledOf(db: Queryable, organizationId: string, customerId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(unsettledOfStatement, [organizationId, customerId])).map((row) => row.id);
}

const capturedStatement = sql(
  "payments.captured",
  `SELECT ${payments.columns()} FROM payments
   WHERE organization_id = $1 AND ${isFor("payments", "$2")} AND purpose <> 'setup' AND status = 'succeeded'`,
);

/**
 * The charge that was made for an invoice; null if no provider has charged the Customer. At most one exists (rule D1).
 */
export async function capturedFor(db: Queryable, organizationId: string, invoiceId: string): Promise<Payment | null> {
  return (await db.query<Payment>(capturedStatement, [organizationId, invoiceId]))[0] ?? null;
}

const chargesStatement = sql(
  "payments.charges_of_invoices",
  `SELECT p.invoice_id AS "invoiceId", p.id AS "paymentId", p.method FROM payments p
   WHERE p.organization_id = $1 AND p.status = 'succeeded' AND p.purpose <> 'setup' AND ((p.source_id = ANY ($2)
     AND p.invoice_id = p.source_id) OR (p.invoice_id = ANY ($2) AND p.invoice_id <> p.source_id))`,
);

/** The charges that were made for these invoices. `method`: null for a payment without a card (rule C8). */
export async function chargesOf(
  db: Queryable,
  organizationId: string,
  ...invoiceIds: string[]
): Promise<{ invoiceId: string; paymentId: string; method: CardSnapshot | null }[]> {
  return db.query(chargesStatement, [organizationId, invoiceIds]);
}

const cardsOfPortalStatement = sql(
  "payments.cards_of_portal",
  `SELECT ${payments.columns()} FROM payments
   WHERE organization_id = $1 AND customer_id = $2 AND purpose = 'setup' AND checkout_id IS NULL
   ORDER BY id DESC LIMIT $3`,
);

/** The newest attempts to save a card that a Customer gave in the portal, newest first. */
export function cardsOfPortal(
  db: Queryable,
  organizationId: string,
  customerId: string,
  limit: number,
): Promise<Payment[]> {
  return db.query<Payment>(cardsOfPortalStatement, [organizationId, customerId, limit]);
}

const failedOnPageStatement = sql(
  "payments.failed_on_page",
  `SELECT count(*) AS failed FROM payments
   WHERE organization_id = $1 AND source_id = $2 AND status = 'failed' AND purpose = 'page'
     AND failure_code <> ALL ($3::text[])`,
);

/** The number of failed attempts to pay this invoice on its page, without those that the provider refused (rule D9). */
export async function failedOnPage(db: Queryable, organizationId: string, invoiceId: string): Promise<number> {
  return (await db.query<{ failed: number }>(failedOnPageStatement, [organizationId, invoiceId, REFUSALS]))[0]!.failed;
}
