import { sql, type Queryable, type Tx } from "./db.ts";

/** What was edited, and how far those that it is about were gone through since (rule B1). */
type Edited = { organizationId: string; id: string; version: number; syncCursor: string | null };

export type Rounds<Row extends Edited> = {
  /** Those with a round to go on with, of each Organization in turn, but for `except`. */
  due(db: Queryable, except: readonly string[], limit: number): Promise<{ organizationId: string; id: string }[]>;
  /** Notes how far a round has come; a cursor of null ends it. False where it has not come as far as the row says, or further. */
  move(tx: Tx, row: Row, cursor: string | null): Promise<boolean>;
};

/** The rounds of a table whose rows have `sync_at` and `sync_cursor`. */
export function defineRounds<Row extends Edited>(table: "benefits" | "products"): Rounds<Row> {
  const dueStatement = sql(
    `${table}.due_sync`,
    `SELECT organization_id AS "organizationId", id FROM (
       SELECT organization_id, id, sync_at, row_number() OVER (PARTITION BY organization_id ORDER BY sync_at) AS turn
       FROM ${table} WHERE sync_at <= statement_timestamp() AND id <> ALL($1)
     ) due ORDER BY turn, sync_at LIMIT $2`,
  );
  // Compare-and-set: an edit meanwhile started the round anew, or somebody else is further. Due anew each time: rounds take turns, and a
  // long one is not taken for one that nobody goes on with.
  const moveStatement = sql(
    `${table}.move_cursor`,
    `UPDATE ${table} SET sync_cursor = $5,
       sync_at = date_trunc('milliseconds', statement_timestamp()) + CASE WHEN $5::text IS NOT NULL THEN interval '0' END
     WHERE organization_id = $1 AND id = $2 AND version = $3 AND sync_cursor IS NOT DISTINCT FROM $4 AND sync_at IS NOT NULL RETURNING id`,
  );
  return {
    due: (db, except, limit) => db.query(dueStatement, [except, limit]),
    async move(tx, { organizationId, id, version, syncCursor }, cursor) {
      return (await tx.query(moveStatement, [organizationId, id, version, syncCursor, cursor])).length > 0;
    },
  };
}
