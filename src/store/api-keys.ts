import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { ApiKey, ApiKeyScope } from "../domain/organization/api-key.ts";
import type { Organization } from "../domain/model/organization.ts";
import type { ListApiKeysQuery } from "../resources/api-key.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineTable } from "./driver/table.ts";

export const apiKeys = defineTable<ApiKey>("api_keys", {
  organizationId: "plain",
  id: "plain",
  name: "plain",
  scopes: "json",
  digest: "plain",
  last4: "plain",
  replacedBy: "plain",
  expiresAt: "instant",
  revokedAt: "instant",
  lastUsedAt: "instant",
  createdAt: "instant",
});

/** The fields of a key and of its Organization that a request needs. */
export type KeyView = Pick<ApiKey, "expiresAt" | "revokedAt" | "lastUsedAt"> & {
  keyId: string;
  scopes: ApiKeyScope[];
  organization: Pick<Organization, "id" | "mode" | "clockAt">;
};

type ViewRow = Omit<KeyView, "organization"> & { organizationId: string };

// Without the Organization: the key tells the Organization, and so the node of a distributed database that has the row.
const viewStatement = sql(
  "api_keys.view",
  `SELECT id AS "keyId", scopes, expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt",
     organization_id AS "organizationId"
   FROM api_keys WHERE digest = $1`,
);
const organizationStatement = sql(
  "api_keys.organization",
  `SELECT id, mode, clock_at AS "clockAt" FROM organizations WHERE id = $1`,
);
const listStatement = sql(
  "api_keys.list",
  `SELECT ${apiKeys.columns()} FROM api_keys WHERE organization_id = $1 AND ($2::text IS NULL OR id < $2)
    ORDER BY id DESC LIMIT $3`,
);
const touchStatement = sql(
  "api_keys.touch",
  `UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL
    OR last_used_at < $2::timestamptz - interval '1 minute')`,
);

/** Finds a key by the digest of its secret. The found key alone decides the Organization of a request. */
export async function viewKey(db: Queryable, digest: Uint8Array): Promise<KeyView | null> {
  const [row] = await db.query<ViewRow>(viewStatement, [digest]);
  if (!row) return null;
  const { organizationId, ...key } = row;
  const [organization] = await db.query<KeyView["organization"]>(organizationStatement, [organizationId]);
  return { ...key, organization: organization! };
}

/** Newest first; returns one row more than the page holds. */
export async function listApiKeys(
  db: Queryable,
  organizationId: string,
  { cursor, limit }: ListApiKeysQuery,
): Promise<ApiKey[]> {
  return db.query<ApiKey>(listStatement, [organizationId, cursor, limit + 1]);
}

/** Records the use of a key, at most once a minute for all processes together. */
export async function touchKey(tx: Tx, keyId: string, now: Instant): Promise<void> {
  await tx.query(touchStatement, [keyId, formatInstant(now)]);
}
