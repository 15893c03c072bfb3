import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/model/checkout.ts";
import type { Organization } from "../domain/model/organization.ts";
import type { CheckoutDetails, ListCheckoutsQuery } from "../resources/checkout.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { filteredList, type CreatedSpan } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";

export const checkouts = defineTable<Checkout>(
  "checkouts",
  {
    organizationId: "plain",
    id: "plain",
    status: "plain",
    paymentLinkId: "plain",
    productId: "plain",
    customerId: "plain",
    customerNamed: "plain",
    subscriptionId: "plain",
    invoiceId: "plain",
    productName: "plain",
    groupKey: "plain",
    currency: "plain",
    amount: "plain",
    quantity: "plain",
    quantityChange: "json",
    unitName: "json",
    interval: "plain",
    intervalCount: "plain",
    trialDays: "plain",
    trialCard: "plain",
    allowDiscountCodes: "plain",
    discount: "json",
    billing: "json",
    tax: "json",
    change: "json",
    usesBalance: "plain",
    settlement: "json",
    successUrl: "plain",
    cancelUrl: "plain",
    locale: "plain",
    lastPaymentError: "json",
    failedAttempts: "plain",
    submittedAt: "instant",
    fields: "json",
    fieldAnswers: "json",
    metadata: "json",
    expiresAt: "instant",
    completedAt: "instant",
    dueAt: "instant",
    simulated: "plain",
    version: "plain",
    eventSequence: "plain",
    createdAt: "instant",
    updatedAt: "instant",
  },
  { queue: "checkouts", at: ({ simulated, dueAt }) => (simulated ? null : dueAt) },
);

const dueStatement = sql(
  "checkouts.due",
  `SELECT organization_id AS "organizationId", id FROM checkouts
   WHERE due_at <= statement_timestamp() AND NOT simulated ORDER BY due_at LIMIT $1`,
);
const firstDueStatement = sql(
  "checkouts.first_due",
  `SELECT due_at AS "dueAt", id FROM checkouts WHERE organization_id = $1 AND due_at <= $2 ORDER BY due_at, id LIMIT 1`,
);
const earliestStatement = sql(
  "checkouts.earliest",
  `SELECT min(due_at) AS "dueAt" FROM checkouts WHERE organization_id = $1 AND due_at IS NOT NULL`,
);
const simulateStatement = sql(
  "checkouts.simulate",
  `UPDATE checkouts SET simulated = true WHERE organization_id = $1 AND NOT simulated`,
);

/** Checkouts that expire by now, of all Organizations on real time. */
export async function dueCheckouts(db: Queryable, limit: number): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueStatement, [limit]);
}

export async function firstDueCheckout(
  db: Queryable,
  organizationId: string,
  until: Instant,
): Promise<{ dueAt: Instant; id: string } | null> {
  return (
    (await db.query<{ dueAt: Instant; id: string }>(firstDueStatement, [organizationId, formatInstant(until)]))[0] ??
    null
  );
}

export async function earliestDueCheckout(db: Queryable, organizationId: string): Promise<Instant | null> {
  return (await db.query<{ dueAt: Instant | null }>(earliestStatement, [organizationId]))[0]?.dueAt ?? null;
}

export async function simulateCheckouts(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(simulateStatement, [organizationId]);
}

/**
 * A Checkout with the shown fields that are not in its own row. `balance`: the balance of the Customer in the
 * Checkout's currency (minor units), read only for an open Checkout that uses the balance, else 0. `provider` and
 * `providerAccount` are the Organization's.
 */
export type ReadCheckout = Checkout &
  CheckoutDetails &
  Pick<Organization, "provider" | "providerAccount"> & { balance: number };

const READ = `SELECT ${checkouts.columns("ch")}, c.external_id AS "externalCustomerId",
     COALESCE(o.clock_at, ${REAL_NOW}) AS now, o.provider, o.provider_account AS "providerAccount",
     COALESCE(b.amount, 0) AS balance
   FROM checkouts ch
   JOIN organizations o ON o.id = ch.organization_id
   LEFT JOIN customers c ON (c.organization_id, c.id) = (ch.organization_id, ch.customer_id)
   LEFT JOIN balances b ON (b.organization_id, b.customer_id, b.currency)
     = (ch.organization_id, ch.customer_id, ch.currency) AND ch.uses_balance AND ch.status = 'open'`;
const readStatement = sql("checkouts.read", `${READ} WHERE ch.organization_id = $1 AND ch.id = $2`);
// An open Checkout counts as expired from its expiry on, even before the sweep has come by (rule C5).
const IS_OVER = "ch.expires_at <= COALESCE(o.clock_at, statement_timestamp())";
const STATUS: Record<string, string> = {
  open: `ch.status = 'open' AND NOT ${IS_OVER}`,
  expired: `(ch.status = 'expired' OR (ch.status = 'open' AND ${IS_OVER}))`,
};
type CheckoutFilter = "cursor" | "customerId" | "externalCustomerId" | "productId" | "subscriptionId";
const list = filteredList<ReadCheckout, CheckoutFilter, "status">({
  name: "checkouts.list",
  select: `${READ} WHERE ch.organization_id = $1`,
  order: "ch.id DESC",
  created: { table: "checkouts", alias: "ch" },
  values: {
    cursor: (value) => `ch.id < ${value}`,
    customerId: (value) => `ch.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    productId: (value) => `ch.product_id = ${value}`,
    subscriptionId: (value) => `ch.subscription_id = ${value}`,
  },
  words: { status: (word) => STATUS[word] ?? `ch.status = '${word}'` },
});

export async function readCheckout(db: Queryable, organizationId: string, id: string): Promise<ReadCheckout | null> {
  return (await db.query<ReadCheckout>(readStatement, [organizationId, id]))[0] ?? null;
}

/** Newest first; returns one row more than the page holds. */
export async function listCheckouts(
  db: Queryable,
  organizationId: string,
  query: ListCheckoutsQuery & CreatedSpan,
): Promise<ReadCheckout[]> {
  return list(db, organizationId, query);
}

const anyStatement = sql("checkouts.any", `SELECT 1 AS found FROM checkouts WHERE organization_id = $1 LIMIT 1`);

export async function hasCheckouts(db: Queryable, organizationId: string): Promise<boolean> {
  return (await db.query(anyStatement, [organizationId])).length > 0;
}

const forgetStatement = sql(
  "checkouts.forget",
  `UPDATE checkouts SET billing = NULL, field_answers = NULL
   WHERE organization_id = $1 AND customer_id = $2 AND (billing IS NOT NULL OR field_answers IS NOT NULL)`,
);

/** Blanks the billing details and the values of own fields that buyers gave (rules I5m, C14e). */
export function forgetBuyers(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(forgetStatement, [organizationId, customerId]);
}
