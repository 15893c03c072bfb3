import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { distribute } from "../../src/actions/distribute.ts";
import { PLACEMENTS } from "../../src/store/distribution/placements.ts";
import { readKeysInTheWay, readPlacements } from "../../src/store/distribution/tables.ts";
import { openDatabase } from "../../src/store/driver/db.ts";
import { migrate, readMigrations } from "../../src/store/migrate.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { makeAllStatements } from "../support/named-statements.ts";
import { ROOT } from "../support/source.ts";
import { until } from "../support/until.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";

/** The last migration of the first release with `distribute`. */
const LAST_BEFORE = "0106-retention.sql";

let cluster: CitusCluster;
let workspace: Workspace;

beforeAll(async () => {
  cluster = await startCluster(2);
  workspace = await createWorkspace();
});
afterAll(async () => {
  await workspace.clear();
  await cluster.stop();
});

const settingsOf = (url: string) => ({ DATABASE_URL: url, BILLOW_SECRET: "s".repeat(32) });
const run = (url: string, ...args: string[]) => workspace.run(args, settingsOf(url));
const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function connect(url: string, applicationName = "test"): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A new database of an installation with a company in a sandbox. */
async function createCompany(name: string): Promise<string> {
  const url = await cluster.createDatabase(name);
  expect(await run(url, "migrate")).toMatchObject({ code: 0 });
  expect(await run(url, "seed", "--company")).toMatchObject({ code: 0 });
  return url;
}

/** The rows of each table, as texts in the order of the texts. */
async function readRows(url: string): Promise<Record<string, string[]>> {
  const client = await connect(url);
  await client.query("SET TimeZone = 'UTC'");
  const found: Record<string, string[]> = {};
  for (const table of Object.keys(PLACEMENTS)) {
    const { rows } = await client.query(`SELECT * FROM ${table}`);
    found[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}

async function placesOf(url: string): Promise<string[]> {
  const client = await connect(url);
  const { rows } = await client.query<{ name: string }>(
    "SELECT logicalrelid::text AS name FROM pg_dist_partition ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** The number of statements that the coordinator sends to nodes for a statement. */
async function callsToNodes(url: string, text: string, values: unknown[]): Promise<number> {
  const client = await connect(url);
  const sent: string[] = [];
  client.on("notice", ({ message }) => message?.startsWith("issuing SELECT") && sent.push(message));
  await client.query("SET citus.log_remote_commands = on");
  await client.query(text, values);
  return sent.length;
}

const PLACED = Object.keys(PLACEMENTS).filter((table) => PLACEMENTS[table] !== "node");

test("an installation with a company is distributed with all of its rows, after a dry run without effect", async () => {
  const url = await createCompany("company");
  const before = await readRows(url);
  expect(before["invoices"]!.length).toBeGreaterThan(10);

  const dry = await run(url, "distribute", "--dry-run", "--json");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  const { tables, ...plan } = JSON.parse(dry.stdout);
  const droppedKeys = [{ name: "api_keys_organization_id_fkey", child: "api_keys", parent: "organizations" }];
  expect(plan).toEqual({ dryRun: true, placed: 0, droppedKeys });
  expect(tables[0]).toEqual({
    name: "organizations",
    placement: "organization",
    isPlaced: false,
    rows: before["organizations"]!.length,
    bytes: expect.any(Number),
  });
  expect(await placesOf(url)).toEqual([]);
  const client = await connect(url);
  const keys = "SELECT count(*)::int AS many FROM pg_constraint WHERE conname = 'api_keys_organization_id_fkey'";
  expect((await client.query(keys)).rows).toEqual([{ many: 1 }]);

  const done = await run(url, "distribute");
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(`${PLACED.length} tables placed\\.\n$`) });
  expect(await placesOf(url)).toEqual(PLACED);
  expect((await client.query(keys)).rows).toEqual([{ many: 0 }]);
  expect(await readRows(url)).toEqual(before);
  const left = "SELECT sum(pg_relation_size(logicalrelid))::int AS bytes FROM pg_dist_partition";
  expect((await client.query(left)).rows).toEqual([{ bytes: 0 }]);

  expect(await run(url, "verify")).toMatchObject({ code: 0, stdout: expect.stringMatching("Everything agrees") });
  expect(await run(url, "distribute")).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^0 tables placed\.$/m),
  });
  expect(await run(url, "migrate")).toMatchObject({ code: 0, stdout: "The database is up to date.\n" });

  // The key of a request is found on the coordinator itself, and its Customers on a node.
  expect(await callsToNodes(url, (await makeAllStatements()).get("api_keys.view")!, ["\\x00"])).toBe(0);
  expect(await callsToNodes(url, "SELECT id FROM customers WHERE organization_id = $1", ["org_1"])).toBe(1);
});

test("after a kill in the middle, a second run finishes", async () => {
  const url = await createCompany("killed");
  const before = await readRows(url);
  const begun = workspace.begin(["distribute"], settingsOf(url));
  await begun.noted(/^customers: /m);
  begun.signal("SIGKILL");
  await begun.finished;
  const placed = await placesOf(url);
  expect(placed).toContain("customers");
  expect(placed.length).toBeLessThan(PLACED.length);
  // PostgreSQL ends the session of the killed process after the statement.
  const client = await connect(url);
  const sessions = `SELECT count(*)::int AS many FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'billow'`;
  await until(async () => (await client.query(sessions)).rows[0].many === 0);
  expect(await readRows(url)).toEqual(before);
  expect(await run(url, "distribute")).toMatchObject({ code: 0 });
  expect(await placesOf(url)).toEqual(PLACED);
  expect(await readRows(url)).toEqual(before);
  expect(await run(url, "verify")).toMatchObject({ code: 0 });
});

test("each node is in UTC afterwards, and `doctor` names a node that is not", async () => {
  const url = await cluster.createDatabase("zones");
  await run(url, "migrate");
  expect(await run(url, "distribute")).toMatchObject({ code: 0 });
  for (const node of [cluster.coordinator, ...cluster.workers])
    expect((await node.query("SHOW TimeZone", "zones")).rows).toEqual([{ TimeZone: "UTC" }]);
  const database = async () => JSON.parse((await run(url, "doctor", "--json")).stdout).checks[0];
  expect(await database()).toMatchObject({ name: "database", status: "ok" });
  const { port } = cluster.workers[1]!;
  await cluster.workers[1]!.query("ALTER ROLE billow_owner SET TimeZone TO 'Asia/Tokyo'");
  onTestFinished(async () => void (await cluster.workers[1]!.query("ALTER ROLE billow_owner RESET TimeZone")));
  expect(await database()).toMatchObject({
    status: "fault",
    says: `the time zone of the node 127.0.0.1:${port} is Asia/Tokyo`,
  });
});

test("a later migration runs on a distributed database, and its table takes its place", async () => {
  const url = await cluster.createDatabase("later");
  await run(url, "migrate");
  await run(url, "distribute");
  const directory = await mkdtemp(join(tmpdir(), "billow-migrations-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await cp(join(ROOT, "migrations"), directory, { recursive: true });
  await writeFile(
    join(directory, "9999-later.sql"),
    `DROP TABLE tax_region_reviews;
     CREATE TABLE tax_region_reviews (
       organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
       user_id text COLLATE "C" REFERENCES users,
       id text COLLATE "C" NOT NULL,
       PRIMARY KEY (organization_id, id)
     );
     ALTER TABLE customers ADD COLUMN later text;
     CREATE INDEX customers_later ON customers (organization_id, later);
     UPDATE customers SET later = 'x';
     ALTER TABLE users ADD COLUMN later text;`,
  );
  const db = openDatabase({ connectionString: url });
  onTestFinished(() => db.end());
  expect(await migrate(db, pathToFileURL(`${directory}/`))).toEqual(["9999-later.sql"]);
  expect(await placesOf(url)).toEqual(PLACED);

  // A crash between the migration and the place of its table.
  const client = await connect(url);
  await client.query("DROP TABLE tax_region_reviews");
  await client.query(
    'CREATE TABLE tax_region_reviews (organization_id text COLLATE "C", id text, PRIMARY KEY (organization_id, id))',
  );
  expect(await run(url, "worker")).toMatchObject({
    code: 1,
    stderr: "billow: The database is distributed in part: run node bin/billow.mjs migrate.\n",
  });
  expect(await migrate(db, pathToFileURL(`${directory}/`))).toEqual([]);
  expect(await placesOf(url)).toEqual(PLACED);
});

test("the migrations since the first release with `distribute` run on a distributed database", async () => {
  const url = await cluster.createDatabase("upgraded");
  const earlier = await mkdtemp(join(tmpdir(), "billow-migrations-"));
  onTestFinished(() => rm(earlier, { recursive: true }));
  const all = (await readMigrations()).map(({ name }) => name);
  const first = all.filter((name) => name <= LAST_BEFORE);
  for (const name of first) await cp(join(ROOT, "migrations", name), join(earlier, name));
  const db = openDatabase({ connectionString: url });
  onTestFinished(() => db.end());
  await migrate(db, pathToFileURL(`${earlier}/`));
  const tables = (await db.bulk(readPlacements)).map((table) => ({ ...table, rows: 0, bytes: 0 }));
  await distribute({ db }, { tables, dropped: await db.bulk(readKeysInTheWay) }, () => undefined);
  expect(await migrate(db)).toEqual(all.slice(first.length));
  expect(await placesOf(url)).toEqual(PLACED);
});

const refusal = async (url: string) => {
  const { code, stdout, stderr } = await run(url, "distribute");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  return stderr;
};

test("a database that can't be distributed is refused in one line", async () => {
  const { coordinator, workers } = cluster;
  await coordinator.query("CREATE DATABASE plain OWNER billow_owner");
  const plain = `postgres://billow_owner@127.0.0.1:${coordinator.port}/plain`;
  await run(plain, "migrate");
  expect(await refusal(plain)).toBe(
    "billow: Billow can't distribute the tables: the database lacks the extension Citus. Run CREATE EXTENSION citus " +
      "in the database of each node as a superuser, and join the nodes.\n",
  );
  const url = await cluster.createDatabase("refused");
  expect(await refusal(url)).toBe(
    "billow: The database is not migrated: run node bin/billow.mjs migrate, then repeat.\n",
  );
  await run(url, "migrate");
  expect(await refusal(url.replace(String(coordinator.port), String(workers[0]!.port)))).toMatch(
    `this node is a worker. Name the coordinator, 127.0.0.1:${coordinator.port}, in DATABASE_URL.`,
  );
  const server = await connect(url, "billow");
  expect(await refusal(url)).toBe(
    "billow: Billow has 1 other open session on the database: stop all servers, workers, commands and poolers.\n",
  );
  await server.query("SET application_name = 'test'");
  await coordinator.query("CREATE ROLE stranger LOGIN");
  expect(await refusal(url.replace("billow_owner", "stranger"))).toMatch(
    "the role stranger does not own the database and all of its tables. Name their owner in DATABASE_URL.",
  );
  await coordinator.query(`SELECT citus_disable_node('127.0.0.1', ${workers[1]!.port}, true)`, nameOf(url));
  expect(await refusal(url)).toMatch(`the node 127.0.0.1:${workers[1]!.port} is not active.`);
  expect(await placesOf(url)).toEqual([]);
});
