import { sql, type Queryable, type Statement } from "../../store/driver/db.ts";
import type { ProviderRef } from "../connectable-provider.ts";

// The accounts come first, each by one step in the index. Without them, PostgreSQL would read all rows of the
// Organization to find a page of them.
const accountsOf = (table: string) => `WITH RECURSIVE accounts AS (
     (SELECT provider_account FROM ${table} WHERE organization_id = $1 ORDER BY provider_account LIMIT 1)
     UNION ALL
     SELECT n.provider_account FROM accounts a CROSS JOIN LATERAL (
       SELECT t.provider_account FROM ${table} t
       WHERE t.organization_id = $1 AND t.provider_account > a.provider_account ORDER BY t.provider_account LIMIT 1) n)
   SELECT provider_account AS account FROM accounts`;
const accountsOfCustomers = sql("stripe_customers.accounts", accountsOf("stripe_customers"));
const accountsOfRequests = sql("stripe_requests.accounts", accountsOf("stripe_requests"));

const customersStatement = sql(
  "stripe_customers.refs",
  `SELECT customer_id AS id, provider_account AS account, ref FROM stripe_customers
   WHERE organization_id = $1 AND provider_account = ANY($2::text[]) AND customer_id = ANY($3::text[])
   ORDER BY provider_account, customer_id`,
);
// A charge on Stripe's page has its Checkout Session as object_id.
const chargesStatement = sql(
  "stripe_requests.refs",
  `SELECT key AS id, provider_account AS account, COALESCE(intent_id, object_id) AS ref FROM stripe_requests
   WHERE organization_id = $1 AND provider_account = ANY($2::text[]) AND key = ANY($3::text[])
     AND object_id IS NOT NULL
   ORDER BY provider_account, key`,
);

async function refsOf(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  [accounts, refs]: readonly [Statement, Statement],
): Promise<ProviderRef[]> {
  if (ids.length === 0) return [];
  const found = await db.query<{ account: string }>(accounts, [organizationId]);
  if (found.length === 0) return [];
  return db.query<ProviderRef>(refs, [organizationId, found.map(({ account }) => account), ids]);
}

/** Stripe's ids of Customers: `cus_…`. */
export const customerRefs = (db: Queryable, organizationId: string, customerIds: readonly string[]) =>
  refsOf(db, organizationId, customerIds, [accountsOfCustomers, customersStatement]);

/** Stripe's ids of charges, by their keys: `pi_…`, or `cs_…` of a page that no buyer has paid. */
export const chargeRefs = (db: Queryable, organizationId: string, keys: readonly string[]) =>
  refsOf(db, organizationId, keys, [accountsOfRequests, chargesStatement]);
