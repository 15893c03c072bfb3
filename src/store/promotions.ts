import type { Instant } from "../domain/calendar.ts";
import type { ConnectionKey } from "../domain/model/provider-connection.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { formOf } from "./driver/each-organization.ts";
import { sqlState } from "./driver/failures.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { DISTRIBUTED } from "./driver/statement.ts";

// The control file shows a new timeline only after the next checkpoint, so the name of the present log file counts.
const timelineStatement = sql(
  "promotions.timeline",
  `SELECT CASE WHEN NOT pg_is_in_recovery()
     THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END AS timeline`,
);
const storeTimelineStatement = sql("promotions.store_timeline", "UPDATE installation SET timeline = $1 WHERE one");
const HOLD = `UPDATE provider_book_imports i SET import_at = ${REAL_NOW}, held_since = ${REAL_NOW},
     held_differences = coalesce(i.held_differences, (SELECT c.differences FROM provider_book_comparisons c
       WHERE c.organization_id = i.organization_id), 0)
   WHERE i.import_at IS NOT NULL`;
const holdStatement = sql("promotions.hold", `${HOLD} RETURNING true AS due`);
const holdOfOneStatement = sql(
  `promotions.hold${DISTRIBUTED}`,
  `${HOLD.replace("WHERE c.organization_id = i.organization_id", "WHERE c.organization_id = $1")}
     AND i.organization_id = $1 RETURNING true AS due`,
);
const RELEASE = `UPDATE provider_book_imports SET held_since = NULL, held_differences = NULL
   WHERE held_since IS NOT NULL`;
const releaseStatement = sql("promotions.release", `${RELEASE} RETURNING organization_id`);
const releaseOfOneStatement = sql(
  `promotions.release${DISTRIBUTED}`,
  `${RELEASE} AND organization_id = $1 RETURNING organization_id`,
);
const heldStatement = sql(
  "promotions.held",
  `SELECT i.organization_id AS "organizationId", i.provider, i.provider_account AS "providerAccount",
     i.held_since AS since, coalesce(c.differences, 0) - i.held_differences AS differences,
     coalesce(c.compared_at > i.held_since AND i.imported_until > i.held_since, false) AS "isCompared"
   FROM provider_book_imports i
   LEFT JOIN provider_book_comparisons c ON c.organization_id = i.organization_id
   WHERE i.held_since IS NOT NULL ORDER BY i.organization_id, i.provider, i.provider_account`,
);

/** A condition: no promotion holds the off-session charges of the account of the payment `p`. */
export const isNotHeld = (p: string, organizationId = `${p}.organization_id`) =>
  `NOT EXISTS (SELECT FROM provider_book_imports h WHERE h.organization_id = ${organizationId}
     AND h.provider = ${p}.provider AND h.provider_account = ${p}.provider_account AND h.held_since IS NOT NULL)`;

// Without a name, as other servers lack the function. A timeline begins with 1, so a new node changes no sum. The
// result of a node that is away is a message, and a CASE around the sum would not keep the sum from reading it.
const ALL_TIMELINES = {
  name: "",
  text: `SELECT CASE WHEN bool_and(r.success)
      THEN 1 + sum(CASE WHEN r.success THEN r.result::bigint - 1 END) END AS timeline
    FROM run_command_on_all_nodes($$SELECT
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint$$) r`,
};

/** Some managed servers lack these functions, or forbid them. */
const NOT_SHOWN = /^(0A|42|55)/;

/**
 * The number of the server's timeline; null: the server does not show it, or is a replica. On a cluster, 1 and the
 * number of promotions of all nodes together, because each node may lose commits; null: a node does not answer.
 */
export async function readTimeline(db: Queryable, isDistributed: boolean): Promise<number | null> {
  try {
    const statement = isDistributed ? ALL_TIMELINES : timelineStatement;
    return (await db.query<{ timeline: number | null }>(statement))[0]!.timeline;
  } catch (error) {
    if (NOT_SHOWN.test(sqlState(error) ?? "")) return null;
    throw error;
  }
}

export function storeTimeline(tx: Tx, timeline: number | null): void {
  tx.send(storeTimelineStatement, [timeline]);
}

/**
 * Holds the off-session charges of each connected account, and plans the import of its book now. Returns how many.
 * `organizationId`: the accounts of one Organization; null: of all.
 */
export async function holdAccounts(tx: Tx, organizationId: string | null): Promise<number> {
  const { length } = await tx.query(...formOf(holdStatement, holdOfOneStatement, organizationId));
  if (length > 0) tx.wakes("provider-books");
  return length;
}

/** Ends the holds without a comparison: of one Organization, or with null of all. Returns how many. */
export async function releaseAccounts(tx: Tx, organizationId: string | null): Promise<number> {
  const { length } = await tx.query(...formOf(releaseStatement, releaseOfOneStatement, organizationId));
  if (length > 0) tx.wakes("payments");
  return length;
}

/**
 * An account with off-session charges that wait. `isCompared`: its book reaches beyond `since`. `differences`: how many
 * more than before the promotion.
 */
export type HeldAccount = ConnectionKey & { since: Instant; differences: number; isCompared: boolean };

/** The accounts with off-session charges that wait for a comparison. */
export function heldAccounts(db: Queryable): Promise<HeldAccount[]> {
  return db.query<HeldAccount>(heldStatement);
}
