import type { Benefit } from "../domain/benefit.ts";
import type { ListBenefitsQuery } from "../resources/benefit.ts";
import { sql, type Queryable, type Tx } from "./db.ts";
import { defineTable } from "./table.ts";

export const benefits = defineTable<Benefit>("benefits", {
  organizationId: "plain",
  id: "plain",
  key: "plain",
  type: "plain",
  name: "plain",
  description: "plain",
  properties: "json",
  metadata: "json",
  deletedAt: "instant",
  syncAt: "instant",
  syncCursor: "plain",
  shownVersion: "plain",
  version: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const manyStatement = sql(
  "benefits.many",
  `SELECT ${benefits.columns()} FROM benefits WHERE organization_id = $1 AND id = ANY($2) AND deleted_at IS NULL`,
);

/** Those of the Benefits that exist and were not deleted, in the order of `ids`. */
export async function findBenefits(db: Queryable, organizationId: string, ids: readonly string[]): Promise<Benefit[]> {
  return inOrder(await db.query<Benefit>(manyStatement, [organizationId, ids]), ids);
}

function inOrder(rows: readonly Benefit[], ids: readonly string[]): Benefit[] {
  const found = new Map(rows.map((benefit) => [benefit.id, benefit]));
  return ids.map((id) => found.get(id)).filter((benefit) => benefit !== undefined);
}

const toGrantStatement = sql("benefits.to_grant", `${manyStatement.text} FOR KEY SHARE`);

/**
 * `findBenefits` for what is granted in this transaction: until it ends nobody edits them, so that an edit finds the grants, and these
 * show what was before it or after it for certain. Any number may.
 */
export async function benefitsToGrant(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Benefit[]> {
  return inOrder(await tx.query<Benefit>(toGrantStatement, [organizationId, ids]), ids);
}

const dueSyncStatement = sql(
  "benefits.due_sync",
  `SELECT organization_id AS "organizationId", id FROM (
     SELECT organization_id, id, sync_at, row_number() OVER (PARTITION BY organization_id ORDER BY sync_at) AS turn
     FROM benefits WHERE sync_at <= statement_timestamp() AND id <> ALL($1)
   ) due ORDER BY turn, sync_at LIMIT $2`,
);
// Compare-and-set: an edit meanwhile started the round anew, or somebody else is further. Due anew each time: rounds take turns, and a long
// one is not taken for one that nobody goes on with.
const moveCursorStatement = sql(
  "benefits.move_cursor",
  `UPDATE benefits SET sync_cursor = $5,
     sync_at = CASE WHEN $5::text IS NOT NULL THEN date_trunc('milliseconds', clock_timestamp()) END
   WHERE organization_id = $1 AND id = $2 AND version = $3 AND sync_cursor IS NOT DISTINCT FROM $4 AND sync_at IS NOT NULL RETURNING id`,
);

/** Benefits that were edited, and whose grants have not all told of it (rule B1), of each Organization in turn. */
export async function benefitsToSync(
  db: Queryable,
  except: readonly string[],
  limit: number,
): Promise<{ organizationId: string; id: string }[]> {
  return db.query(dueSyncStatement, [except, limit]);
}

/** Notes how far a round has come; a cursor of null ends it. False where it has not come as far as this Benefit says, or further. */
export async function moveCursor(tx: Tx, benefit: Benefit, cursor: string | null): Promise<boolean> {
  const { organizationId, id, version, syncCursor } = benefit;
  return (await tx.query(moveCursorStatement, [organizationId, id, version, syncCursor, cursor])).length > 0;
}

const holdStatement = sql(
  "benefits.hold",
  `SELECT id FROM benefits WHERE organization_id = $1 AND id = ANY($2) AND deleted_at IS NULL ORDER BY id FOR SHARE`,
);
const listStatement = sql(
  "benefits.list",
  `SELECT ${benefits.columns()} FROM benefits
   WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id < $2)
     AND ($3::text IS NULL OR key = $3) AND ($4::text IS NULL OR type = $4)
     AND ($5::text IS NULL OR position(lower($5) IN lower(name)) > 0)
   ORDER BY id DESC LIMIT $6`,
);

/** Which of the ids name Benefits; until the transaction ends nobody deletes these. */
export async function holdBenefits(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.query<{ id: string }>(holdStatement, [organizationId, ids])).map((row) => row.id));
}

/** Newest first, one more than the page holds. */
export async function listBenefits(db: Queryable, organizationId: string, query: ListBenefitsQuery): Promise<Benefit[]> {
  const { cursor, key, type, search, limit } = query;
  return db.query<Benefit>(listStatement, [organizationId, cursor, key, type, search, limit + 1]);
}
