import { formatInstant, type Instant } from "../domain/calendar.ts";
import { sql, type Tx } from "./driver/db.ts";
import { deleteRows } from "./driver/delete-rows.ts";

const countStatement = sql(
  "sign_in_failures.count",
  `INSERT INTO sign_in_failures (key, failures, ends_at) VALUES ($1, 1, $2)
   ON CONFLICT (key) DO UPDATE SET failures = sign_in_failures.failures + 1 RETURNING failures`,
);
const undoStatement = sql(
  "sign_in_failures.undo",
  "UPDATE sign_in_failures SET failures = failures - 1 WHERE key = ANY($1::text[])",
);
const forgetStatement = sql(
  "sign_in_failures.forget",
  deleteRows(
    "sign_in_failures",
    ["key"],
    `SELECT key FROM sign_in_failures WHERE ends_at < statement_timestamp() ORDER BY ends_at LIMIT $1`,
  ),
);

/** Counts an attempt under a key, and answers the number of attempts. Concurrent attempts get different numbers. */
export async function countAttempt(tx: Tx, key: string, endsAt: Instant): Promise<number> {
  return (await tx.query<{ failures: number }>(countStatement, [key, formatInstant(endsAt)]))[0]!.failures;
}

/** Takes an attempt back that was no failure. */
export function undoAttempt(tx: Tx, keys: readonly string[]): void {
  tx.send(undoStatement, [keys]);
}

/** Deletes up to `limit` counts of earlier spans. Returns the number of deleted rows. */
export async function forgetSignInFailures(tx: Tx, limit: number): Promise<number> {
  return (await tx.query(forgetStatement, [limit])).length;
}
