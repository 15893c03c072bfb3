import type { Bulk } from "../driver/bulk.ts";
import type { Database } from "../driver/db.ts";
import { runOnReachedNodes } from "./cluster.ts";
import { PLACEMENTS, type Placement } from "./placements.ts";

/** A table and its place. `isPlaced`: the table stands there already. */
export type TablePlacement = { name: string; placement: Placement; isPlaced: boolean };
/** A foreign key, by its name and its tables. */
export type ForeignKey = { name: string; child: string; parent: string };

// Citus marks a table that is divided by the hash of a column with `h`, and other tables with `n`. It marks a table
// that each node has with `t`, and a table of the coordinator with `s`.
const TABLES = `SELECT c.relname::text AS name, coalesce(p.partmethod = 'h', false) AS divided,
    coalesce(p.repmodel = 't', false) AS copied, coalesce(p.partmethod = 'n' AND p.repmodel = 's', false) AS known
  FROM pg_class c LEFT JOIN pg_catalog.pg_dist_partition p ON p.logicalrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($1::text[])`;
const FOREIGN_KEYS = `SELECT k.conname::text AS name, child.relname::text AS child, parent.relname::text AS parent
  FROM pg_constraint k JOIN pg_class child ON child.oid = k.conrelid JOIN pg_class parent ON parent.oid = k.confrelid
  WHERE k.contype = 'f' AND child.relnamespace = current_schema()::regnamespace
    AND child.relname = ANY($1::text[])`;

/** The places of all tables of the schema, in the order in which they take their places. */
export async function readPlacements(bulk: Bulk): Promise<TablePlacement[]> {
  type Found = { name: string; divided: boolean; copied: boolean; known: boolean };
  const found = await bulk.query<Found>(TABLES, [Object.keys(PLACEMENTS)]);
  const places = found.map(({ name, divided, copied, known }) => {
    const placement = PLACEMENTS[name]!;
    const isPlaced = { organization: divided, reference: copied, coordinator: known, node: true }[placement];
    return { name, placement, isPlaced };
  });
  return parentsFirst(places, await readForeignKeys(bulk));
}

/** The tables that have no place yet, in the order in which they take their places. */
export const readUnplaced = async (bulk: Bulk): Promise<TablePlacement[]> =>
  (await readPlacements(bulk)).filter(({ isPlaced }) => !isPlaced);

const readForeignKeys = (bulk: Bulk): Promise<ForeignKey[]> =>
  bulk.query<ForeignKey>(FOREIGN_KEYS, [Object.keys(PLACEMENTS)]);

const isDivided = (table: string) => PLACEMENTS[table] === "organization";
/** Citus refuses a foreign key to a divided table from a table that is not divided. */
const isInTheWay = ({ child, parent }: ForeignKey) => !isDivided(child) && isDivided(parent);

/** The foreign keys that Citus refuses. */
export const readKeysInTheWay = async (bulk: Bulk): Promise<ForeignKey[]> =>
  (await readForeignKeys(bulk)).filter(isInTheWay);

/** The Organizations first: a database is distributed as soon as they are. */
const rankOf = ({ name, placement }: TablePlacement) =>
  name === "organizations" ? 0 : ["reference", "organization", "coordinator", "node"].indexOf(placement) + 1;

/** A table follows the tables that it refers to: Citus accepts a foreign key to a table that has its place. */
function parentsFirst(places: readonly TablePlacement[], keys: readonly ForeignKey[]): TablePlacement[] {
  const waiting = [...places].sort((one, other) => rankOf(one) - rankOf(other) || (one.name < other.name ? -1 : 1));
  const sorted: TablePlacement[] = [];
  const waits = (table: string) => waiting.some(({ name }) => name === table);
  const isReady = ({ name }: TablePlacement) =>
    keys.every((key) => key.child !== name || key.parent === name || !waits(key.parent) || isInTheWay(key));
  while (waiting.length > 0) {
    const next = waiting.findIndex(isReady);
    if (next === -1) throw new Error(`the foreign keys of ${waiting[0]!.name} lead in a circle`);
    sorted.push(...waiting.splice(next, 1));
  }
  return sorted;
}

/** The number of rows, and the size in bytes with indexes. */
export type Extent = { rows: number; bytes: number };

export async function readExtent(bulk: Bulk, { name, placement, isPlaced }: TablePlacement): Promise<Extent> {
  const size = isPlaced && placement !== "node" ? "citus_total_relation_size" : "pg_total_relation_size";
  const [extent] = await bulk.query<Extent>(`SELECT count(*) AS rows, ${size}('${name}') AS bytes FROM ${name}`);
  return extent!;
}

/**
 * The settings of each transaction that makes tables or places them. By default a table that refers to a table on each
 * node becomes a table of Citus at once, and could not refer to divided tables any more. The statements to the nodes go
 * one after the other, because a transaction that has changed tables on each node may not ask a node twice at once.
 */
export const CLUSTER_SETTINGS = [
  "SET LOCAL citus.enable_local_reference_table_foreign_keys = off",
  "SET LOCAL citus.multi_shard_modify_mode = 'sequential'",
];

function placing({ name, placement }: TablePlacement): string {
  if (placement === "reference") return `SELECT create_reference_table('${name}')`;
  if (placement === "coordinator") return `SELECT citus_add_local_table_to_metadata('${name}')`;
  return name === "organizations"
    ? "SELECT create_distributed_table('organizations', 'id', colocate_with => 'none')"
    : `SELECT create_distributed_table('${name}', 'organization_id', colocate_with => 'organizations')`;
}

/** Gives a table its place, with its rows, in one transaction. */
export async function placeTable(db: Database, place: TablePlacement): Promise<void> {
  await db.script(...CLUSTER_SETTINGS, placing(place));
}

// As the migration has made it on the coordinator. Citus would lock all nodes for a TRUNCATE of its own tables, so one
// node that is away would make the probe of each process fail.
const MAKE_PROBE = `SELECT format('CREATE UNLOGGED TABLE IF NOT EXISTS %I.write_probe (n integer NOT NULL)',
    current_schema()) AS command`;

/**
 * Makes the table that each node has for itself. A node that is away gets it by a later `migrate`, as `start` must not
 * wait for that node. Until then the probe of a process there counts as passed. @throws ServerError
 */
export const makeNodeTables = (db: Database): Promise<void> =>
  db.bulk(async (bulk) => {
    const [{ command }] = (await bulk.query<{ command: string }>(MAKE_PROBE)) as [{ command: string }];
    await runOnReachedNodes(bulk, command);
  });

/** Removes keys of `readKeysInTheWay`. */
export async function dropKeys(db: Database, keys: readonly ForeignKey[]): Promise<void> {
  if (keys.length > 0)
    await db.script(...keys.map(({ name, child }) => `ALTER TABLE ${child} DROP CONSTRAINT IF EXISTS ${name}`));
}

/**
 * Places the tables that migrations have made on a distributed database. Another process may do the same at the same
 * time. Returns the names of the placed tables.
 */
export async function placeNewTables(db: Database): Promise<string[]> {
  const placed = await db.bulk(readUnplaced);
  if (placed.length > 0) await dropKeys(db, await db.bulk(readKeysInTheWay));
  for (const place of placed) {
    try {
      await placeTable(db, place);
    } catch (error) {
      if ((await db.bulk(readUnplaced)).some(({ name }) => name === place.name)) throw error;
    }
  }
  await makeNodeTables(db);
  return placed.map(({ name }) => name);
}

/**
 * Removes the rows that placed tables have left on the coordinator. A table that is placed keeps its first rows there,
 * hidden, and other tables refer to them until all tables are placed.
 */
export async function removeLeftRows(db: Database): Promise<void> {
  const kept = ["organization", "reference"];
  const all = (await db.bulk(readPlacements)).filter(({ placement }) => kept.includes(placement));
  for (const { name } of all) {
    const left = await db.bulk((bulk) => bulk.query<{ bytes: number }>(`SELECT pg_relation_size('${name}') AS bytes`));
    if (left[0]!.bytes > 0) await db.script(`SELECT truncate_local_data_after_distributing_table('${name}')`);
  }
}

/** Reads the statistics of each table on its nodes. One table at a time, because Citus asks all shards at once. */
export async function analyzePlacedTables(db: Database): Promise<void> {
  for (const { name } of await db.bulk(readPlacements)) await db.script(`ANALYZE ${name}`);
}
