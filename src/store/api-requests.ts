import type { Instant } from "../domain/calendar.ts";
import { sql, type Database, type Queryable } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

/** A request with an API key, as it was answered. There are no bodies, and no values of the query. */
export type ApiRequest = {
  organizationId: string;
  /** The `Request-Id` of the answer. */
  id: string;
  /** Real time. */
  at: Instant;
  keyId: string;
  method: string;
  /** With names in braces: `/manage/v1/customers/{customerId}`. */
  path: string;
  /** The last id in the path; null: the path has no id, or a malformed one. */
  resourceId: string | null;
  status: number;
  /** The code of the refusal; null: the request succeeded. */
  errorCode: string | null;
  clientAddress: string;
  durationMs: number;
  idempotencyKey: string | null;
};

export const apiRequests = defineTable<ApiRequest>("api_requests", {
  organizationId: "plain",
  id: "plain",
  at: "instant",
  keyId: "plain",
  method: "plain",
  path: "plain",
  resourceId: "plain",
  status: "plain",
  errorCode: "plain",
  clientAddress: "plain",
  durationMs: "plain",
  idempotencyKey: "plain",
});

/** The most requests of an Organization that are kept. */
export const MOST_KEPT = 100_000;

const listRequestsBy = filteredList<ApiRequest, "cursor" | "keyId" | "path" | "status", "outcome">({
  name: "api_requests.list",
  select: `SELECT ${apiRequests.columns()} FROM api_requests WHERE organization_id = $1`,
  order: "id DESC",
  values: {
    cursor: (value) => `id < ${value}`,
    keyId: (value) => `key_id = ${value}`,
    path: (value) => `path = ${value}`,
    status: (value) => `status = ${value}`,
  },
  words: { outcome: (word) => (word === "refused" ? "status >= 400" : "status < 400") },
});

export type RequestFilters = {
  cursor?: string | undefined;
  limit: number;
  keyId?: string | undefined;
  path?: string | undefined;
  status?: number | undefined;
  outcome?: "refused" | "done" | undefined;
};

/** Newest first; returns one row more than the page holds. */
export function listRequests(db: Queryable, organizationId: string, query: RequestFilters): Promise<ApiRequest[]> {
  // A refused status is among the few rows of an index.
  const outcome = query.outcome ?? (query.status !== undefined && query.status >= 400 ? "refused" : undefined);
  return listRequestsBy(db, organizationId, { ...query, outcome });
}

const oldRows = defineOldRows({
  name: "api_requests.forget",
  table: "api_requests",
  keys: { id: "text" },
  isOld: `at < statement_timestamp() - $2::integer * interval '1 day'`,
  by: "at",
});

// The count reads the index alone. A look at one row of each Organization, `OFFSET $1` behind its newest one, reads as
// many rows.
const crowdedStatement = sql(
  "api_requests.crowded",
  `SELECT organization_id AS "organizationId" FROM api_requests GROUP BY organization_id HAVING count(*) > $1`,
);
const trimStatement = sql(
  "api_requests.trim",
  `DELETE FROM api_requests WHERE organization_id = $1 AND id = ANY(ARRAY(
     SELECT id FROM api_requests WHERE organization_id = $1 AND id <= (
       SELECT id FROM api_requests WHERE organization_id = $1 ORDER BY id DESC OFFSET $3 LIMIT 1)
     ORDER BY id LIMIT $2))
   RETURNING 1 AS forgotten`,
);

/** Deletes up to `limit` requests older than `days`. Returns how many. */
export function forgetRequests(db: Deleting, limit: number, days: number): Promise<number> {
  return forgetRows(db, oldRows, limit, days);
}

/**
 * Deletes up to `limit` requests of each Organization beyond the newest `most`, in a transaction for each Organization.
 * Returns the number of deleted rows.
 */
export async function trimRequests({ read, tx }: Database, limit: number, most = MOST_KEPT): Promise<number> {
  let forgotten = 0;
  for (const { organizationId } of await read.query<{ organizationId: string }>(crowdedStatement, [most])) {
    const { length } = await tx((one) => one.query(trimStatement, [organizationId, limit, most]));
    forgotten += length;
  }
  return forgotten;
}
