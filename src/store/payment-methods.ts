import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { DueRow } from "../domain/organization/clock.ts";
import type { ProviderAccount } from "../domain/model/payment-outcome.ts";
import type { PaymentMethod } from "../domain/model/payment.ts";
import type { ListPaymentMethodsQuery } from "../resources/payment-method.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";

export const paymentMethods = defineTable<PaymentMethod>(
  "payment_methods",
  {
    type: "plain",
    brand: "plain",
    last4: "plain",
    expMonth: "plain",
    expYear: "plain",
    organizationId: "plain",
    id: "plain",
    customerId: "plain",
    provider: "plain",
    providerAccount: "plain",
    providerRef: "plain",
    fingerprint: "plain",
    dead: "plain",
    detachedAt: "instant",
    providerReadAt: "instant",
    dueAt: "instant",
    simulated: "plain",
    expiryAnnounced: "plain",
    version: "plain",
    eventSequence: "plain",
    createdAt: "instant",
    updatedAt: "instant",
  },
  { queue: "cards", at: ({ simulated, dueAt }) => (simulated ? null : dueAt) },
);

/** A card on file. `isDisputed`: a dispute holds the card back (rule D6). */
export type CardOnFile = PaymentMethod & { isDefault: boolean; isDisputed: boolean };

/**
 * Whether `m` is or was on file. A card that was only typed for an unsuccessful attempt at a Checkout or on an
 * invoice's page was never on file. A card on file may have such an attempt, too: a change in the portal, or on the
 * page of a 402 (rules P1, P11). `customer` does not depend on `m` in a list, so that PostgreSQL reads the Customer's
 * payments once instead of once for each card.
 */
const onFile = (customer: string) => {
  const paidWith = (condition: string) =>
    `m.id IN (SELECT payment_method_id FROM payments
       WHERE organization_id = $1 AND customer_id = ${customer} AND payment_method_id IS NOT NULL AND ${condition})`;
  return `(NOT m.dead OR m.detached_at IS NOT NULL) AND (
     NOT ${paidWith("purpose IN ('checkout', 'setup', 'page') AND status <> 'succeeded'")}
     OR ${paidWith("status = 'succeeded'")}
     OR EXISTS (
       SELECT 1 FROM customers o
       WHERE o.organization_id = $1 AND o.id = m.customer_id AND o.default_payment_method_id = m.id)
     OR m.id IN (
       SELECT payment_method_id FROM subscriptions
       WHERE organization_id = $1 AND customer_id = ${customer} AND payment_method_id IS NOT NULL
         AND status <> 'canceled'))`;
};
const CARD_ON_FILE = `SELECT ${paymentMethods.columns("m")},
     coalesce(c.default_payment_method_id = m.id, false) AS "isDefault",
     EXISTS (
       SELECT 1 FROM disputes d
       JOIN payments q ON (q.organization_id, q.id) = (d.organization_id, d.payment_id)
       JOIN payment_methods disputed
         ON (disputed.organization_id, disputed.id) = (q.organization_id, q.payment_method_id)
       WHERE d.organization_id = $1 AND d.customer_id = m.customer_id
         AND d.status IN ('open', 'lost') AND d.card_cleared_at IS NULL AND disputed.fingerprint = m.fingerprint
     ) AS "isDisputed"
   FROM payment_methods m JOIN customers c ON (c.organization_id, c.id) = (m.organization_id, m.customer_id)`;
const listStatement = sql(
  "payment_methods.list",
  `${CARD_ON_FILE}
   WHERE m.organization_id = $1 AND m.customer_id = $2 AND NOT m.dead AND ${onFile("$2")}
     AND ($3::text IS NULL OR m.id < $3)
   ORDER BY m.id DESC LIMIT $4`,
);
const onFileStatement = sql(
  "payment_methods.on_file",
  `${CARD_ON_FILE}
   WHERE m.organization_id = $1 AND m.id = $2 AND c.deleted_at IS NULL
     AND ${onFile("m.customer_id")}`,
);
/** The cards that are or were on file, of all Customers or of one: newest first, one row more than the page holds. */
export const listEveryCardOnFile = filteredList<CardOnFile, "cursor" | "customerId">({
  name: "payment_methods.every",
  select: `${CARD_ON_FILE} WHERE m.organization_id = $1 AND c.deleted_at IS NULL AND ${onFile("m.customer_id")}`,
  order: "m.id DESC",
  values: { cursor: (value) => `m.id < ${value}`, customerId: (value) => `m.customer_id = ${value}` },
});
const detachStatement = sql(
  "payment_methods.detach",
  `UPDATE payment_methods SET provider_ref = '', fingerprint = '', dead = true, due_at = NULL
    WHERE organization_id = $1 AND customer_id = $2`,
);

/** The cards of a Customer that may be charged, newest first; returns one row more than the page holds. */
export async function listPaymentMethods(
  db: Queryable,
  organizationId: string,
  customerId: string,
  { cursor, limit }: ListPaymentMethodsQuery,
): Promise<CardOnFile[]> {
  return db.query<CardOnFile>(listStatement, [organizationId, customerId, cursor, limit + 1]);
}

/** A card on file, also after its end; null for a card that was never on file, and for a deleted Customer's card. */
export async function findCardOnFile(db: Queryable, organizationId: string, id: string): Promise<CardOnFile | null> {
  return (await db.query<CardOnFile>(onFileStatement, [organizationId, id]))[0] ?? null;
}

const ofRefStatement = sql(
  "payment_methods.of_ref",
  `SELECT m.id, m.customer_id AS "customerId" FROM payment_methods m
   WHERE m.organization_id = $1 AND m.provider = $2 AND m.provider_account = $3 AND m.provider_ref = $4
     AND ${onFile("m.customer_id")}
   ORDER BY m.id DESC LIMIT 1`,
);

/** The card on file with this id at the provider. */
export async function methodOfRef(
  db: Queryable,
  organizationId: string,
  { provider, providerAccount }: ProviderAccount,
  ref: string,
): Promise<{ id: string; customerId: string } | null> {
  const found = await db.query<{ id: string; customerId: string }>(ofRefStatement, [
    organizationId,
    provider,
    providerAccount,
    ref,
  ]);
  return found[0] ?? null;
}

const PAGE = 100;
const refsStatement = sql(
  "payment_methods.refs",
  `SELECT m.id, m.provider_ref AS ref FROM payment_methods m
   WHERE m.organization_id = $1 AND m.provider = $2 AND m.provider_account = $3 AND NOT m.dead
     AND ${onFile("m.customer_id")}
     AND ($4::text IS NULL OR m.id > $4)
   ORDER BY m.id LIMIT ${PAGE}`,
);

/** A page of the chargeable cards at an account, by the provider's ids, in the order in which they were stored. */
export async function refsOnFile(
  db: Queryable,
  organizationId: string,
  { provider, providerAccount }: ProviderAccount,
  after: string | null,
): Promise<{ refs: string[]; next: string | null }> {
  const values = [organizationId, provider, providerAccount, after];
  const found = await db.query<{ id: string; ref: string }>(refsStatement, values);
  return { refs: found.map(({ ref }) => ref), next: found.length < PAGE ? null : found.at(-1)!.id };
}

/** Makes the cards of the Customer unchargeable, and removes their references at the provider (rule I5n). */
export function detachCards(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(detachStatement, [organizationId, customerId]);
}

// The due cards that have waited longest, on real time, taking the Organizations in turn.
const dueStatement = sql(
  "payment_methods.due",
  `SELECT organization_id AS "organizationId", customer_id AS "customerId" FROM (
     SELECT organization_id, customer_id, due_at, row_number() OVER (PARTITION BY organization_id
     ORDER BY due_at) AS turn
     FROM (SELECT organization_id, customer_id, due_at FROM payment_methods
       WHERE due_at <= statement_timestamp() AND NOT simulated ORDER BY due_at LIMIT $1) due
   ) waiting ORDER BY turn, due_at`,
);
const firstDueStatement = sql(
  "payment_methods.first_due",
  `SELECT due_at AS "dueAt", customer_id AS "customerId" FROM payment_methods
   WHERE organization_id = $1 AND due_at <= $2 ORDER BY due_at, customer_id LIMIT $3`,
);
const earliestStatement = sql(
  "payment_methods.earliest",
  `SELECT min(due_at) AS "dueAt" FROM payment_methods WHERE organization_id = $1 AND due_at IS NOT NULL`,
);
const simulateStatement = sql(
  "payment_methods.simulate",
  `UPDATE payment_methods SET simulated = true WHERE organization_id = $1 AND NOT simulated`,
);

/** The Customers with a card whose expiry is to be announced by now, of all Organizations on real time (rule D11). */
export async function dueCards(
  db: Queryable,
  limit: number,
): Promise<{ organizationId: string; customerId: string }[]> {
  return db.query(dueStatement, [limit]);
}

/** The cards of an Organization that are due by `until`, earliest first. */
export function firstDueCards(db: Queryable, organizationId: string, until: Instant, limit: number): Promise<DueRow[]> {
  return db.query<DueRow>(firstDueStatement, [organizationId, formatInstant(until), limit]);
}

export async function earliestDueCard(db: Queryable, organizationId: string): Promise<Instant | null> {
  return (await db.query<{ dueAt: Instant | null }>(earliestStatement, [organizationId]))[0]?.dueAt ?? null;
}

export async function simulateCards(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(simulateStatement, [organizationId]);
}
