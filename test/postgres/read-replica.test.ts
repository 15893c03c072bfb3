import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Check } from "../../src/actions/doctor/check.ts";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { isCopy } from "../../src/actions/installation.ts";
import { readConfig } from "../../src/config.ts";
import { createContext } from "../../src/context.ts";
import { parseAddress } from "../../src/database-address.ts";
import { startServer } from "../../src/http/server.ts";
import { openDatabase, sql, type Database } from "../../src/store/driver/db.ts";
import { sqlState } from "../../src/store/driver/failures.ts";
import { routeOf } from "../../src/store/driver/route.ts";
import { migrate } from "../../src/store/migrate.ts";
import type { Replica } from "../../src/store/replica.ts";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { freePort } from "../support/installed-server.ts";
import { startOwnServer, type OwnServer } from "../support/own-server.ts";
import { ok } from "../support/story.ts";
import { until } from "../support/until.ts";

// A server over a primary and a replica, which DATABASE_READ_URL names.

let primary: OwnServer;
let standby: OwnServer;
beforeAll(async () => {
  primary = await startOwnServer();
  await primary.administer("CREATE DATABASE billow OWNER billow_owner");
  const db = openDatabase({ connectionString: primary.url("billow") });
  await migrate(db);
  await db.end();
  standby = await primary.standby();
}, 180_000);
afterAll(async () => {
  await standby.remove();
  await primary.remove();
});

/** A process that answers requests. `as`: a caller of the management API with a key. */
type Serving = { url: string; replica: Replica; db: Database; as(key: string): TestCall };

async function serve(readUrl = standby.url("billow")): Promise<Serving> {
  const port = await freePort();
  const environment = { DATABASE_URL: primary.url("billow"), BILLOW_SECRET: "r".repeat(32), LOG_LEVEL: "silent" };
  const settings = { ...environment, DATABASE_READ_URL: readUrl, PORT: String(port), RATE_LIMIT: "0" };
  const ctx = await createContext(readConfig(settings), {}, "serve");
  await isCopy(ctx);
  const server = await startServer(ctx.requests);
  onTestFinished(async () => {
    await server.close();
    await ctx.close();
  });
  const url = `http://127.0.0.1:${port}`;
  return { url, replica: ctx.replica!, db: ctx.db, as: (key) => caller(`${url}/manage/v1`, key) };
}

/** The keys of a new Organization: of a program that makes changes, and of one that only reads. */
async function createKeys({ db, as }: Serving): Promise<{ program: string; reader: string }> {
  const { keys } = await db.tx((tx) => createOrganizationWithKeys(tx, { name: "Shop", mode: "sandbox" }));
  const { secret } = await ok(as(keys.manage)("POST", "/api-keys", { name: "Reader", scopes: ["manage"] }));
  return { program: keys.manage, reader: secret };
}

const isRead = ({ replica }: Serving) => until(() => replica.age() !== null);
const product = (key: string) => ({ key, name: key, interval: "month", prices: [{ currency: "usd", amount: 900 }] });
const namesOf = async (call: TestCall) => (await ok(call("GET", "/products"))).data.map(({ name }: Json) => name);
const ageOf = async (call: TestCall) => (await call("GET", "/products")).headers.get("Billow-Data-Age");

async function isPaused(): Promise<boolean> {
  const client = new pg.Client({ connectionString: standby.adminUrl() });
  await client.connect();
  const { rows } = await client.query<{ state: string }>("SELECT pg_get_wal_replay_pause_state() AS state");
  await client.end();
  return rows[0]!.state === "paused";
}

/** Runs `work` while the replica receives commits and does not show them. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  await standby.administer("SELECT pg_wal_replay_pause()");
  await until(isPaused);
  await work().finally(() => standby.administer("SELECT pg_wal_replay_resume()"));
}

test("a list comes from the replica with its age, until the replica is 5 s old", async () => {
  const serving = await serve();
  const { replica, url, as } = serving;
  const keys = await createKeys(serving);
  const [program, reader] = [as(keys.program), as(keys.reader)];
  const figure = async (name: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]?.replace("Nan", "NaN"));
  };
  await ok(program("POST", "/products", product("first")));
  await until(async () => (await ageOf(reader)) !== null);
  await expect.poll(() => namesOf(reader)).toEqual(["first"]);
  await whilePaused(async () => {
    await ok(program("POST", "/products", product("second")));
    const stale = await reader("GET", "/products");
    expect([stale.status, stale.body.data.length]).toEqual([200, 1]);
    expect(Number(stale.headers.get("Billow-Data-Age"))).toBeGreaterThan(0);
    await until(() => replica.age() === null);
    const { fallbacks } = replica;
    const current = await reader("GET", "/products");
    expect([current.body.data.length, current.headers.get("Billow-Data-Age")]).toEqual([2, null]);
    expect(replica.fallbacks).toBe(fallbacks + 1);
    expect(await figure("billow_read_replica_fallbacks_total")).toBe(fallbacks + 1);
    expect(await figure("billow_read_replica_age_seconds")).toBe(NaN);
  });
  await isRead(serving);
  expect(await ageOf(reader)).not.toBe(null);
  expect(await figure("billow_read_replica_age_seconds")).toBeLessThan(5);
});

test("a key that has just made a change reads the change, also in another process", async () => {
  const [serving, other] = [await serve(), await serve()];
  const keys = await createKeys(serving);
  await until(async () => (await ageOf(other.as(keys.reader))) !== null);
  await whilePaused(async () => {
    await ok(serving.as(keys.program)("POST", "/products", product("own")));
    for (const { as } of [serving, other]) {
      const [program, reader] = [as(keys.program), as(keys.reader)];
      expect([await namesOf(program), await namesOf(reader)]).toEqual([["own"], []]);
      expect([await ageOf(program), await ageOf(reader)]).toEqual([null, expect.any(String)]);
    }
  });
});

test("no request fails while the replica dies, is frozen and comes back", async () => {
  const serving = await serve();
  const { replica, as } = serving;
  const reader = as((await createKeys(serving)).reader);
  await isRead(serving);
  const statuses = new Map<number, number>();
  let isOpen = true;
  const keepReading = async () => {
    while (isOpen) {
      const { status } = await reader("GET", "/products");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const reading = Promise.all(Array.from({ length: 6 }, keepReading));
  await standby.kill();
  await until(() => replica.age() === null);
  await standby.start();
  await isRead(serving);
  await standby.whileFrozen(() => until(() => replica.age() === null).then(() => undefined));
  await isRead(serving);
  isOpen = false;
  await reading;
  expect([...statuses.keys()]).toEqual([200]);
});

describe("start and doctor say", () => {
  const settings = (database: string) => ({ DATABASE_URL: primary.url(database), BILLOW_SECRET: "r".repeat(32) });
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await createWorkspace();
    await primary.administer("CREATE DATABASE other OWNER billow_owner");
    expect(await workspace.run(["migrate"], settings("other"))).toMatchObject({ code: 0, stderr: "" });
  });
  afterAll(() => workspace.clear());

  async function check(readUrl: string): Promise<Check> {
    const environment = { ...settings("billow"), DATABASE_READ_URL: readUrl };
    const { stdout } = await workspace.run(["doctor", "--json"], environment);
    return (JSON.parse(stdout) as { checks: Check[] }).checks.find(({ name }) => name === "read_replica")!;
  }

  test("that a replica answers, or the primary itself", async () => {
    for (const { port, url } of [standby, primary]) {
      const says = `billow at 127.0.0.1:${port} answers the reads that may be up to 5 s old`;
      expect(await check(url("billow"))).toMatchObject({ status: "ok", says });
    }
  });

  test("that the database is one of another installation", async () => {
    const says = "DATABASE_READ_URL leads to the database of another installation, or to none";
    for (const name of ["other", "postgres"])
      expect(await check(primary.url(name))).toMatchObject({ status: "fault", says });
    const environment = { ...settings("billow"), DATABASE_READ_URL: primary.url("other") };
    for (const command of ["serve", "start"]) {
      const started = await workspace.start([command, "--json"], environment);
      started.signal("SIGTERM");
      expect((await started.finished).stderr).toContain(`Warning: ${says}. Name a replica`);
    }
  });

  test("that no server listens", async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const says = `the database billow at ${address} can't be reached: no server listens there`;
    expect(await check(`postgres://billow_owner@${address}/billow`)).toMatchObject({ status: "warning", says });
  });

  test("that the replica lags", async () => {
    await whilePaused(async () => {
      await primary.administer("CREATE TABLE later (n int)");
      const says = "the replica of DATABASE_READ_URL is more than 5 s behind";
      expect(await check(standby.url("billow"))).toMatchObject({ status: "warning", says });
    });
  });
});

const recoveryStatement = sql("test.read_replica_recovery", "SELECT pg_is_in_recovery() AS replica");
const writeStatement = sql("test.read_replica_write", "INSERT INTO write_probe VALUES (1)");

test("of several hosts, the first replica is read", async () => {
  const serving = await serve(standby.url("billow").replace("127.0.0.1", `127.0.0.1:${primary.port},127.0.0.1`));
  await isRead(serving);
  expect(await serving.replica.reads(() => true).query(recoveryStatement)).toEqual([{ replica: true }]);
});

test("a server that was promoted is read no more, and its sessions take no writes", async () => {
  const serving = await serve();
  await isRead(serving);
  const address = parseAddress(standby.url("billow"), {}, "replica");
  const db = openDatabase(routeOf(address, "transaction", true), { transactions: 1 });
  onTestFinished(() => db.end());
  await standby.administer("SELECT pg_promote()");
  await until(() => serving.replica.age() === null);
  expect(await serving.replica.whyUnused()).toMatchObject({ reason: "promoted" });
  const refused = await db.tx((tx) => tx.query(writeStatement)).catch((error: Error) => error.cause);
  expect(sqlState(refused)).toBe("25006");
});
