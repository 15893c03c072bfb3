import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { REAL_NOW } from "./driver/sql-time.ts";

/**
 * An edited Benefit or Product, or a price change. A round brings it to the Customers or sources one after the other,
 * and has come as far as the cursor (rules B1, N1).
 */
type Edited = { organizationId: string; id: string; version: number; syncCursor: string | null };

export type Rounds<Row extends Edited> = {
  /** Rows with an unfinished round, taking the Organizations in turn. Leaves out the ids in `except`. */
  due(db: Queryable, except: readonly string[], limit: number): Promise<{ organizationId: string; id: string }[]>;
  /**
   * Stores how far a round has come; a null cursor ends the round. Returns false if the round is no longer at the
   * version and cursor of `row`.
   */
  move(tx: Tx, row: Row, cursor: string | null): Promise<boolean>;
};

/** The rounds of a table with the columns `sync_at` and `sync_cursor`. */
export function defineRounds<Row extends Edited>(table: "benefits" | "price_changes" | "products"): Rounds<Row> {
  const dueStatement = sql(
    `${table}.due_sync`,
    `SELECT organization_id AS "organizationId", id FROM (
       SELECT organization_id, id, sync_at, row_number() OVER (PARTITION BY organization_id ORDER BY sync_at) AS turn
       FROM ${table} WHERE sync_at <= statement_timestamp() AND id <> ALL($1)
     ) due ORDER BY turn, sync_at LIMIT $2`,
  );
  // Compare and set: an edit may have restarted the round meanwhile, or another process may have moved its cursor. Each
  // move makes the round due again from now on. So rounds take turns, and a long round does not look abandoned.
  const moveStatement = sql(
    `${table}.move_cursor`,
    `UPDATE ${table} SET sync_cursor = $5,
       sync_at = ${REAL_NOW} + CASE
       WHEN $5::text IS NOT NULL THEN interval '0' END
     WHERE organization_id = $1 AND id = $2 AND version = $3 AND sync_cursor IS NOT DISTINCT FROM $4
     AND sync_at IS NOT NULL RETURNING id`,
  );
  return {
    due: (db, except, limit) => db.query(dueStatement, [except, limit]),
    async move(tx, { organizationId, id, version, syncCursor }, cursor) {
      return (await tx.query(moveStatement, [organizationId, id, version, syncCursor, cursor])).length > 0;
    },
  };
}
