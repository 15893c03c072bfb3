import type { Benefit, BenefitGrant, BenefitType } from "../domain/model/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import type {
  GrantBenefit,
  ListBenefitGrantsQuery,
  ListManagedBenefitGrantsQuery,
} from "../resources/benefit-grant.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { wireTime } from "./driver/sql-time.ts";
import { defineTable } from "./driver/table.ts";

export const benefitGrants = defineTable<BenefitGrant>("benefit_grants", {
  organizationId: "plain",
  id: "plain",
  customerId: "plain",
  benefitId: "plain",
  benefitVersion: "plain",
  subscriptionId: "plain",
  invoiceId: "plain",
  quantity: "plain",
  status: "plain",
  properties: "json",
  activations: "plain",
  reason: "plain",
  grantedAt: "instant",
  revokedAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const holdersStatement = sql(
  "benefit_grants.holders",
  `SELECT DISTINCT customer_id AS id FROM benefit_grants
   WHERE organization_id = $1 AND benefit_id = $2 AND status = 'active' AND benefit_version < $3 AND customer_id > $4
   ORDER BY customer_id LIMIT $5`,
);

/** Ids of Customers after the Benefit's cursor with an active grant of an older version of the Benefit (rule B1). */
export async function holdersOf(db: Queryable, benefit: Benefit, limit: number): Promise<string[]> {
  const { organizationId, id, shownVersion, syncCursor } = benefit;
  return (
    await db.query<{ id: string }>(holdersStatement, [organizationId, id, shownVersion, syncCursor ?? "", limit])
  ).map((row) => row.id);
}

/** A grant with the shown fields that are not in its own row. */
export type ReadGrant = BenefitGrant & {
  benefit: GrantBenefit;
  externalCustomerId: string | null;
  expiresAt: Instant | null;
};

/** A grant's Benefit, from a row `b`. */
export const BENEFIT = `json_build_object('id', b.id, 'key', b.key, 'type', b.type, 'name', b.name,
     'description', b.description, 'properties', b.properties, 'metadata', b.metadata,
     'version', b.version) AS benefit`;

/** The factor of a number that may be that of one unit, for a grant `g` of a Benefit `b` (rule B5). */
const PER_UNIT = "CASE WHEN b.properties->>'perUnit' = 'true' THEN g.quantity ELSE 1 END";

// PostgreSQL builds the JSON, ready to be sent. It equals the JSON of `presentBenefitGrant` (a test compares them),
// except for the files of a download: this process signs their links.
const BODY = `row_to_json((SELECT r FROM (SELECT g.id, c.id AS "customerId", c.external_id AS "externalCustomerId",
     g.benefit_id AS "benefitId", g.subscription_id AS "subscriptionId", g.invoice_id AS "invoiceId", g.quantity,
     (SELECT x FROM (SELECT b.id, b.key, b.type, b.name, b.description, b.properties, b.metadata) x) AS benefit,
     CASE b.type WHEN 'license_key' THEN row_to_json((SELECT k FROM (SELECT g.properties->>'key' AS key,
       (b.properties->>'activationLimit')::bigint * ${PER_UNIT} AS "activationLimit", g.activations) k))
       WHEN 'feature' THEN row_to_json((SELECT k FROM (SELECT b.properties->'feature' AS feature,
         CASE WHEN b.properties->>'perUnit' = 'true' THEN to_json((b.properties->>'value')::bigint * g.quantity)
         ELSE b.properties->'value' END AS value) k))
       ELSE b.properties END AS properties,
     ${wireTime("g.granted_at")} AS "grantedAt", ${wireTime("s.access_ends_at")} AS "expiresAt",
     ${wireTime("g.created_at")} AS "createdAt") r))::text`;

// Exact on read: leaves out a grant that has ended in billing time, even if no worker has revoked the grant yet. For a
// Customer without present grants the answer is one row of nulls; for an unknown Customer it has no row.
function activeStatement(customer: "id" | "external_id") {
  return sql(
    `benefit_grants.active_by_${customer}`,
    `SELECT g.*
     FROM customers c
     JOIN organizations o ON o.id = c.organization_id
     LEFT JOIN LATERAL (
       SELECT g.id, b.type, ${BODY} AS body
       FROM benefit_grants g
       JOIN benefits b ON (b.organization_id, b.id) = (g.organization_id, g.benefit_id)
       LEFT JOIN subscriptions s ON (s.organization_id, s.id) = (g.organization_id, g.subscription_id)
       WHERE g.organization_id = $1 AND g.customer_id = c.id AND g.status = 'active'
         AND (s.access_ends_at IS NULL OR s.access_ends_at > COALESCE(o.clock_at, statement_timestamp()))
         AND ($3::text IS NULL OR g.id < $3) AND ($4::text IS NULL OR g.benefit_id = $4)
         AND ($5::text IS NULL OR b.type = $5)
       ORDER BY g.id DESC LIMIT $6
     ) g ON true
     WHERE c.organization_id = $1 AND c.${customer} = $2 AND c.deleted_at IS NULL
     ORDER BY g.id DESC`,
  );
}

const activeByIdStatement = activeStatement("id");
const activeByExternalIdStatement = activeStatement("external_id");
/** A grant as JSON. For a download the JSON shows the files as configured in the Benefit, without links. */
export type GrantBody = { id: string; type: BenefitType; body: string };

/** The present grants of a Customer, newest first, and one more than the page holds; null for an unknown Customer. */
export async function listActiveGrants(
  db: Queryable,
  organizationId: string,
  query: ListBenefitGrantsQuery,
): Promise<GrantBody[] | null> {
  const { customerId, externalCustomerId, cursor, benefitId, type, limit } = query;
  const statement = customerId === undefined ? activeByExternalIdStatement : activeByIdStatement;
  const values = [organizationId, customerId ?? externalCustomerId, cursor, benefitId, type, limit + 1];
  const rows = await db.query<GrantBody | { id: null }>(statement, values);
  return rows.length === 0 ? null : rows.filter((row): row is GrantBody => row.id !== null);
}

type GrantFilter = "cursor" | "customerId" | "externalCustomerId" | "subscriptionId" | "invoiceId" | "benefitId";
const list = filteredList<ReadGrant, GrantFilter, "type" | "status">({
  name: "benefit_grants.list",
  select: `SELECT ${benefitGrants.columns("g")}, ${BENEFIT}, s.access_ends_at AS "expiresAt",
    c.external_id AS "externalCustomerId"
   FROM benefit_grants g
   JOIN benefits b ON (b.organization_id, b.id) = (g.organization_id, g.benefit_id)
   JOIN customers c ON (c.organization_id, c.id) = (g.organization_id, g.customer_id)
   LEFT JOIN subscriptions s ON (s.organization_id, s.id) = (g.organization_id, g.subscription_id)
   WHERE g.organization_id = $1`,
  order: "g.id DESC",
  values: {
    cursor: (value) => `g.id < ${value}`,
    customerId: (value) => `g.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    subscriptionId: (value) => `g.subscription_id = ${value}`,
    invoiceId: (value) => `g.invoice_id = ${value}`,
    benefitId: (value) => `g.benefit_id = ${value}`,
  },
  words: { type: (word) => `b.type = '${word}'`, status: (word) => `g.status = '${word}'` },
});

/** Grants of any status, newest first; returns one row more than the page holds. */
export async function listGrants(
  db: Queryable,
  organizationId: string,
  query: ListManagedBenefitGrantsQuery,
): Promise<ReadGrant[]> {
  return list(db, organizationId, query);
}

// Exact on read, like the statements of `listActiveGrants`.
const activeRowsStatement = sql(
  "benefit_grants.active_rows",
  `SELECT ${benefitGrants.columns("g")}, ${BENEFIT}, s.access_ends_at AS "expiresAt",
    c.external_id AS "externalCustomerId"
   FROM benefit_grants g
   JOIN organizations o ON o.id = g.organization_id
   JOIN benefits b ON (b.organization_id, b.id) = (g.organization_id, g.benefit_id)
   JOIN customers c ON (c.organization_id, c.id) = (g.organization_id, g.customer_id)
   LEFT JOIN subscriptions s ON (s.organization_id, s.id) = (g.organization_id, g.subscription_id)
   WHERE g.organization_id = $1 AND g.customer_id = $2 AND g.status = 'active'
     AND (s.access_ends_at IS NULL OR s.access_ends_at > COALESCE(o.clock_at, statement_timestamp()))
   ORDER BY g.id DESC LIMIT $3`,
);

/** The present grants of a Customer as rows, newest first, at most `limit`. */
export function readActiveGrants(
  db: Queryable,
  organizationId: string,
  customerId: string,
  limit: number,
): Promise<ReadGrant[]> {
  return db.query<ReadGrant>(activeRowsStatement, [organizationId, customerId, limit]);
}

const grantedStatement = sql(
  "benefit_grants.granted",
  `SELECT ${BENEFIT}
   FROM benefit_grants g
   JOIN organizations o ON o.id = g.organization_id
   JOIN benefits b ON (b.organization_id, b.id) = (g.organization_id, g.benefit_id)
   LEFT JOIN subscriptions s ON (s.organization_id, s.id) = (g.organization_id, g.subscription_id)
   WHERE g.organization_id = $1 AND g.id = $2 AND g.status = 'active'
     AND (s.access_ends_at IS NULL OR s.access_ends_at > COALESCE(o.clock_at, statement_timestamp()))`,
);

/**
 * The Benefit of a grant that is active now, as exact as `listActiveGrants`; null if the grant is unknown or not
 * active.
 */
export async function findGranted(db: Queryable, organizationId: string, id: string): Promise<GrantBenefit | null> {
  return (await db.query<{ benefit: GrantBenefit }>(grantedStatement, [organizationId, id]))[0]?.benefit ?? null;
}
