import type { Context } from "../context.ts";
import { counted } from "../domain/words.ts";
import { requireFitServer } from "../store/driver/server.ts";
import { countOtherSessions, requireCluster, requireUtc, setTimeZones } from "../store/distribution/cluster.ts";
import {
  analyzePlacedTables,
  dropKeys,
  makeNodeTables,
  placeTable,
  readExtent,
  readKeysInTheWay,
  readPlacements,
  removeLeftRows,
  type Extent,
  type ForeignKey,
  type TablePlacement,
} from "../store/distribution/tables.ts";
import { readMigrationState } from "../store/migrate.ts";

type World = Pick<Context, "db">;

/** A table of the plan, as it is before the distribution. */
export type PlannedTable = TablePlacement & Extent;
/** The tables in the order in which they take their places, and the foreign keys that a cluster can't have. */
export type DistributionPlan = { tables: PlannedTable[]; dropped: ForeignKey[] };

/** A database that can't be distributed now, in one line for the operator. */
export class NotDistributable extends Error {}

/** @throws NotDistributable if a pooler leads to the database */
function requireNoPooler({ db }: World): void {
  if (db.pooling() !== "none")
    throw new NotDistributable("A pooler stands before the database: name the coordinator itself in DATABASE_URL.");
}

/** `others`: the sessions of other processes of Billow. */
function requireStandstill(others: number): void {
  const open = counted(others, "other open session");
  if (others > 0)
    throw new NotDistributable(`Billow has ${open} on the database: stop all servers, workers, commands and poolers.`);
}

async function requireOwnSchema({ db }: World): Promise<void> {
  const { missing, edited, unknown } = await readMigrationState(db);
  if (missing.length > 0)
    throw new NotDistributable("The database is not migrated: run node bin/billow.mjs migrate, then repeat.");
  const [other] = [...unknown, ...edited];
  if (other !== undefined)
    throw new NotDistributable(`Another release of Billow has migrated this database (${other}): use that release.`);
}

/**
 * Reads the work that `distribute` would do now. Changes no row. Must be the first call on the handle.
 * @throws NotDistributable, ServerError
 */
export async function planDistribution(ctx: World): Promise<DistributionPlan> {
  // The first session of this process, so every other one belongs to another process.
  const others = await ctx.db.bulk(countOtherSessions);
  requireNoPooler(ctx);
  await requireFitServer(ctx.db);
  await ctx.db.bulk(requireCluster);
  // A server without Citus is refused before Billow is stopped in vain.
  requireStandstill(others);
  await requireOwnSchema(ctx);
  return ctx.db.bulk(async (bulk) => {
    const tables: PlannedTable[] = [];
    for (const place of await readPlacements(bulk)) tables.push({ ...place, ...(await readExtent(bulk, place)) });
    return { tables, dropped: await readKeysInTheWay(bulk) };
  });
}

/**
 * Places the tables of a plan. Each table is a transaction of its own, so a later run continues after a crash.
 * `onPlaced` hears of each placed table.
 * @throws ServerError
 */
export async function distribute(
  { db }: World,
  { tables, dropped }: DistributionPlan,
  onPlaced: (table: PlannedTable) => void,
): Promise<void> {
  await db.bulk(setTimeZones);
  // In a new session: a session keeps the time zone of its beginning, on every node.
  await db.bulk(requireUtc);
  await dropKeys(db, dropped);
  for (const table of tables) {
    if (table.isPlaced) continue;
    await placeTable(db, table);
    onPlaced(table);
  }
  await makeNodeTables(db);
  await removeLeftRows(db);
  await analyzePlacedTables(db);
}
