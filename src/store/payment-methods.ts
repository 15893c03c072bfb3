import type { ProviderAccount } from "../domain/payment/outcome.ts";
import type { PaymentMethod } from "../domain/payment/payment.ts";
import type { ListPaymentMethodsQuery } from "../resources/payment-method.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const paymentMethods = defineTable<PaymentMethod>("payment_methods", {
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
  createdAt: "instant",
});

// Leaves out a card with an unsuccessful attempt at a Checkout or on an invoice's page: such a card was never on file.
const listStatement = sql(
  "payment_methods.list",
  `SELECT ${paymentMethods.columns("m")} FROM payment_methods m
   WHERE m.organization_id = $1 AND m.customer_id = $2 AND NOT m.dead AND ($3::text IS NULL OR m.id < $3)
   AND NOT EXISTS (
     SELECT 1 FROM payments p
     WHERE p.organization_id = $1 AND p.customer_id = m.customer_id AND p.payment_method_id = m.id
       AND p.purpose IN ('checkout', 'setup', 'page') AND p.status <> 'succeeded')
   ORDER BY m.id DESC LIMIT $4`,
);
const detachStatement = sql(
  "payment_methods.detach",
  `UPDATE payment_methods SET provider_ref = '', fingerprint = '', dead = true
    WHERE organization_id = $1 AND customer_id = $2`,
);

/** The cards of a Customer that may be charged, newest first; returns one row more than the page holds. */
export async function listPaymentMethods(
  db: Queryable,
  organizationId: string,
  customerId: string,
  { cursor, limit }: ListPaymentMethodsQuery,
): Promise<PaymentMethod[]> {
  return db.query<PaymentMethod>(listStatement, [organizationId, customerId, cursor, limit + 1]);
}

const ofRefStatement = sql(
  "payment_methods.of_ref",
  `SELECT id, customer_id AS "customerId" FROM payment_methods
   WHERE organization_id = $1 AND provider = $2 AND provider_account = $3 AND provider_ref = $4
   ORDER BY id DESC LIMIT 1`,
);

/** The card with this id at the provider. */
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
const onFileStatement = sql(
  "payment_methods.on_file",
  `SELECT id, provider_ref AS ref FROM payment_methods
   WHERE organization_id = $1 AND provider = $2 AND provider_account = $3 AND NOT dead
     AND ($4::text IS NULL OR id > $4)
   ORDER BY id LIMIT ${PAGE}`,
);

/** A page of the chargeable cards at an account, by the provider's ids, in the order in which they were stored. */
export async function refsOnFile(
  db: Queryable,
  organizationId: string,
  { provider, providerAccount }: ProviderAccount,
  after: string | null,
): Promise<{ refs: string[]; next: string | null }> {
  const values = [organizationId, provider, providerAccount, after];
  const found = await db.query<{ id: string; ref: string }>(onFileStatement, values);
  return { refs: found.map(({ ref }) => ref), next: found.length < PAGE ? null : found.at(-1)!.id };
}

/** Makes the cards of the Customer unchargeable, and removes their references at the provider (rule I5n). */
export function detachCards(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(detachStatement, [organizationId, customerId]);
}
