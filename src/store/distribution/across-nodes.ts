import { isUnavailable } from "../../errors.ts";
import type { Database } from "../driver/db.ts";
import { isNodeLost, sqlState } from "../driver/failures.ts";
import { textFor, type Read, type Statement } from "../driver/statement.ts";
import { PLACEMENTS } from "./placements.ts";

/** How long, in milliseconds, looks leave out a node that was away, before it is asked again. */
const AGAIN_MILLISECONDS = 5_000;
/** Connections (08), and shutdown, crash and a time limit (57). */
const AWAY = /^(08|57)/;

const DIVIDED = Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table] === "organization");
const keyOf = (table: string) => (table === "organizations" ? "id" : "organization_id");

// Asks each shard by itself: a statement about all shards fails if one of them does not answer.
const reachableStatement: Statement = {
  name: "nodes.reachable_organizations",
  text: `SELECT success, result FROM run_command_on_shards('organizations',
     'SELECT coalesce(json_agg(id), ''[]'') FROM %s')`,
};

/**
 * The same statement about the Organizations of one more parameter, the last one, alone. In front stands a CTE for each
 * table, with the name of the table. Citus puts the CTEs into the statement and asks only the shards of these
 * Organizations.
 */
export function onlyAbout({ name, text }: Pick<Statement, "name" | "text">, parameters: number): Statement {
  const ctes = DIVIDED.filter((table) => new RegExp(String.raw`\b(FROM|JOIN)\s+${table}\b`).test(text)).map(
    (table) =>
      `${table} AS NOT MATERIALIZED (SELECT * FROM ${table} WHERE ${keyOf(table)} = ANY($${parameters + 1}::text[]))`,
  );
  const [head, rest] = /^\s*WITH\s/.test(text) ? [",", text.replace(/^\s*WITH\s/, "")] : ["", text];
  return { name: `${name}_reachable`, text: `WITH ${ctes.join(",\n   ")}${head}\n   ${rest}` };
}

/** The ids of the Organizations on the nodes that answer; null: all nodes answer. */
async function readReachable(db: Read): Promise<string[] | null> {
  const shards = await db.query<{ success: boolean; result: string }>(reachableStatement);
  if (shards.every(({ success }) => success)) return null;
  return shards.flatMap(({ success, result }) => (success ? (JSON.parse(result) as string[]) : []));
}

type Outage = { organizations: readonly string[]; until: number; looking: boolean };
/** The outages that this process knows of, by the connections to the database. */
const outages = new WeakMap<Read, Outage>();

/** Learns in the background which nodes answer, so that no look waits for a node that is silent. */
async function lookAgain(db: Read, outage: Outage): Promise<void> {
  outage.looking = true;
  try {
    const organizations = await readReachable(db);
    if (organizations === null) outages.delete(db);
    else outage.organizations = organizations;
  } catch {
    // The coordinator is away, too. The looks themselves report that.
  } finally {
    outage.looking = false;
    outage.until = performance.now() + AGAIN_MILLISECONDS;
  }
}

const isNodeAway = (error: unknown) =>
  isUnavailable(error) && (isNodeLost(error.cause) || AWAY.test(sqlState(error.cause) ?? ""));

/**
 * Looks for due work of all Organizations. While a node of a distributed database is away, the looks are about the
 * Organizations of the other nodes, so that the outage of one node does not stop the work on all of them. For
 * statements about all Organizations alone: a statement about an Organization of that node would find no row.
 */
export function acrossNodes(db: Database): Read {
  const { read } = db;
  async function query<Row>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    const ask = ({ organizations }: Outage) => {
      const text = textFor(statement, true);
      return read.query<Row>(onlyAbout(text, values.length), [...values, organizations]);
    };
    const known = db.isDistributed() ? outages.get(read) : undefined;
    if (known) {
      if (!known.looking && performance.now() > known.until) void lookAgain(read, known);
      return ask(known);
    }
    try {
      return await read.query<Row>(statement, values);
    } catch (error) {
      if (!db.isDistributed() || !isNodeAway(error)) throw error;
      const organizations = await readReachable(read);
      if (organizations === null) throw error;
      const outage = { organizations, until: performance.now() + AGAIN_MILLISECONDS, looking: false };
      outages.set(read, outage);
      return ask(outage);
    }
  }
  return { kind: "read", query };
}
