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

type ViewRow = Omit<KeyView, "organization"> & {
  organizationId: string;
  mode: Organization["mode"];
  clockAt: Instant | null;
};

const viewStatement = sql(
  "api_keys.view",
  `SELECT k.id AS "keyId", k.scopes, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
    k.last_used_at AS "lastUsedAt", k.organization_id AS "organizationId", o.mode, o.clock_at AS "clockAt"
   FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.digest = $1`,
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
  const { organizationId, mode, clockAt, ...key } = row;
  return { ...key, organization: { id: organizationId, mode, clockAt } };
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
