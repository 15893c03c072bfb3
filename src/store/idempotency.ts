import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineOldRows, forgetRows, type Deleting } from "./driver/delete-rows.ts";

/** The request that an Idempotency-Key identifies. The body is compared by its digest (SHA-256 of the bytes). */
export type IdempotencyClaim = {
  organizationId: string;
  key: string;
  method: string;
  path: string;
  bodyDigest: Uint8Array;
};
/** The fields with which a stored intent finds the row of its key. */
export type IdempotencyRef = Omit<IdempotencyClaim, "bodyDigest">;
export type StoredAnswer = { status: number; headers: Record<string, string>; body: string };
export type ClaimResult =
  | { claimed: true }
  | { replay: StoredAnswer }
  | { reused: true }
  | { inProgress: true }
  | { withheld: true };

type Row = {
  bodyDigest: Buffer;
  status: number | null;
  headers: Record<string, string>;
  body: string | null;
  withheld: boolean;
};

// A concurrent request with the same key waits here for the commit of the first one. An answer older than a day may
// be overwritten (contract: 24 h of real time).
const claimStatement = sql(
  "idempotency.claim",
  `INSERT INTO idempotency_keys AS k (organization_id, key, method, path, body_digest, created_at)
   VALUES ($1, $2, $3, $4, $5, statement_timestamp())
   ON CONFLICT (organization_id, key, method, path) DO UPDATE
     SET body_digest = excluded.body_digest, status = NULL, headers = NULL, body = NULL, withheld = false,
     created_at = excluded.created_at
     WHERE excluded.created_at - k.created_at > interval '24 hours'
   RETURNING 1 AS claimed`,
);
const findStatement = sql(
  "idempotency.find",
  `SELECT body_digest AS "bodyDigest", status, headers, body, withheld FROM idempotency_keys
   WHERE organization_id = $1 AND key = $2 AND method = $3 AND path = $4`,
);
const answerStatement = sql(
  "idempotency.answer",
  `UPDATE idempotency_keys SET status = $5, headers = $6, body = $7, withheld = $8
   WHERE organization_id = $1 AND key = $2 AND method = $3 AND path = $4`,
);
const oldRows = defineOldRows({
  name: "idempotency.forget",
  table: "idempotency_keys",
  keys: { key: "text", method: "text", path: "text" },
  isOld: "created_at < statement_timestamp() - interval '24 hours' AND (status IS NOT NULL OR withheld)",
  by: "created_at",
});

const at = ({ organizationId, key, method, path }: IdempotencyRef) => [organizationId, key, method, path];

/** Claims the key for this transaction, or answers the state of the key's earlier request. */
export async function claim(tx: Tx, wanted: IdempotencyClaim): Promise<ClaimResult> {
  const [claimed] = await tx.query(claimStatement, [...at(wanted), wanted.bodyDigest]);
  if (claimed) return { claimed: true };
  return (await look(tx, wanted)) ?? { inProgress: true };
}

/** The state of the key, without claiming it; null for a free key. */
export async function look(
  db: Queryable,
  wanted: IdempotencyClaim,
): Promise<Exclude<ClaimResult, { claimed: true }> | null> {
  const [row] = await db.query<Row>(findStatement, at(wanted));
  if (!row) return null;
  if (!row.bodyDigest.equals(wanted.bodyDigest)) return { reused: true };
  if (row.withheld) return { withheld: true };
  if (row.status === null || row.body === null) return { inProgress: true };
  return { replay: { status: row.status, headers: row.headers, body: row.body } };
}

/**
 * Stores the answer in the transaction of the change that it describes. `null` stores only that an answer was given.
 */
export function recordAnswer(tx: Tx, ref: IdempotencyRef, answer: StoredAnswer | null): void {
  const { status = null, headers = null, body = null } = answer ?? {};
  tx.send(answerStatement, [...at(ref), status, headers && JSON.stringify(headers), body, answer === null]);
}

/** Deletes up to `limit` keys older than 24 hours. Returns how many. */
export function forget(db: Deleting, limit: number): Promise<number> {
  return forgetRows(db, oldRows, limit);
}

// Reads all answers of a day: no index has the Customer that an answer shows, and Customers are rarely deleted.
const withholdStatement = sql(
  "idempotency.withhold",
  `UPDATE idempotency_keys SET status = NULL, headers = NULL, body = NULL, withheld = true
   WHERE organization_id = $1 AND position($2 IN body) > 0`,
);

/** Deletes the stored answers that contain this id. The keys of these answers still count as answered (rule I5o). */
export function withholdAnswers(tx: Tx, organizationId: string, id: string): void {
  tx.send(withholdStatement, [organizationId, id]);
}
