import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/driver/db.ts";
import { FOR_WORK } from "../../src/store/driver/limits.ts";
import { migrate } from "../../src/store/migrate.ts";
import { directRoute } from "../../src/store/driver/route.ts";
import { Session, sessionConfig } from "../../src/store/driver/session.ts";
import { createTestDatabase } from "../support/database.ts";
import { findServers, startInstalledServer } from "../support/installed-server.ts";
import { makeAllStatements } from "../support/named-statements.ts";
import { disabledNodes } from "../support/plans.ts";

// A node that a setting switches off, and that is the only way, has a cost of 10^10 in PostgreSQL 15 to 17. Next to it
// all other costs are rounding errors, so the rest of the plan is arbitrary, and each run of the plan was compiled.

/** PostgreSQL explains only queries. */
const NOT_EXPLAINED = ["memberships.lock_table", "organizations.lock_table", "probes.empty", "users.lock_table"];

/** These statements read all rows of a table by design. They never run in a transaction that loads Customers. */
const WHOLE_TABLES = [
  "catch_up.jumped",
  "catch_up.withdraw",
  // A step of a migration.
  "email_keys.changes",
  "email_keys.drop_requests",
  // Counts over all live Organizations for the metrics.
  "payments.failed_lately",
  // Releases each held account at `adopt`.
  "promotions.release",
  "provider_book_comparisons.count",
];

/** The statements that run with the settings of another statement, which stands before them in the transaction. */
type Settings = { name: string; settings: string; holds(statement: string): boolean };
const isVerify = (name: string) => name.startsWith("verify.") || name === "provider_book.missing";
const SETTINGS: readonly Settings[] = [
  {
    name: "beside the billing",
    settings: "accounts.settings",
    holds: (name) => !isVerify(name) && !WHOLE_TABLES.includes(name),
  },
  { name: "in a verification of a small Organization", settings: "verify.keep_plans", holds: isVerify },
  { name: "in a verification of a large Organization", settings: "verify.own_plans", holds: isVerify },
];

type Target = { config: pg.ClientConfig; close(): Promise<void> };

/** A migrated database on a server of its own. */
async function onInstalled(bin: string): Promise<Target> {
  const server = await startInstalledServer({ bin });
  const config = { host: server.directory, port: server.port, user: "postgres", database: "postgres" };
  const db = openDatabase(config);
  await migrate(db);
  await db.end();
  return { config, close: () => server.stop() };
}

async function onServerOfRun(): Promise<Target> {
  const database = await createTestDatabase();
  return { config: database.connection, close: () => database.drop() };
}

const TARGETS: readonly [string, () => Promise<Target>][] = [
  ["the server of the run", onServerOfRun],
  ...findServers().map((bin): [string, () => Promise<Target>] => [bin, () => onInstalled(bin)]),
];

describe.each(TARGETS)("on %s", (_, open) => {
  let target: Target;
  let client: Session;
  let all: Map<string, string>;
  beforeAll(async () => {
    all = await makeAllStatements();
    target = await open();
    client = new Session(sessionConfig(directRoute(target.config), FOR_WORK));
    await client.connect();
  }, 540_000);
  afterAll(async () => {
    await client.end();
    await target.close();
  });

  beforeEach(() => client.query("BEGIN"));
  afterEach(() => client.query("ROLLBACK"));

  test.each(SETTINGS)("no plan of a statement $name holds a disabled node", async ({ settings, holds }) => {
    await client.query(all.get(settings)!);
    const found: Record<string, string[]> = {};
    for (const [name, text] of all) {
      if (!holds(name) || NOT_EXPLAINED.includes(name)) continue;
      const nodes = await disabledNodes(client, text);
      if (nodes.length > 0) found[name] = nodes;
    }
    expect(found).toEqual({});
  });

  test("only these settings switch a node off", () => {
    const switching = [...all].filter(([, text]) => text.includes("enable_")).map(([name]) => name);
    expect(switching).toEqual(SETTINGS.map(({ settings }) => settings));
  });

  test("a disabled node is found", async () => {
    await client.query("SET enable_seqscan = off");
    expect(await disabledNodes(client, "SELECT seen_at FROM worker_heartbeat WHERE seen_at < $1")).toEqual([
      "Seq Scan worker_heartbeat",
    ]);
    for (const name of WHOLE_TABLES) expect(await disabledNodes(client, all.get(name)!), name).toHaveLength(1);
  });

  test("no plan is compiled, even if its cost is estimated high", async () => {
    await client.query("SET jit_above_cost = 0");
    const { rows } = await client.query("EXPLAIN (ANALYZE, FORMAT JSON) SELECT count(*) FROM events");
    expect((rows[0] as { "QUERY PLAN": [object] })["QUERY PLAN"][0]).not.toHaveProperty("JIT");
  });
});
