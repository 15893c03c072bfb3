import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Check } from "../../src/actions/doctor/check.ts";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { setUp } from "../../src/actions/team/set-up.ts";
import { isCopy } from "../../src/actions/installation.ts";
import { readConfig } from "../../src/config.ts";
import { createContext, type Context } from "../../src/context.ts";
import { parseAddress } from "../../src/database-address.ts";
import { startServer } from "../../src/http/server.ts";
import { openDatabase, sql } from "../../src/store/driver/db.ts";
import { sqlState } from "../../src/store/driver/failures.ts";
import { routeOf } from "../../src/store/driver/route.ts";
import { migrate } from "../../src/store/migrate.ts";
import type { Replica } from "../../src/store/replica.ts";
import { createWebApp } from "../../src/web/app.ts";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { OWNER, signInAt } from "../support/dashboard.ts";
import { freePort } from "../support/installed-server.ts";
import { startOwnServer, type OwnServer } from "../support/own-server.ts";
import type { Page } from "../support/pages.ts";
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
type Serving = { url: string; ctx: Context; replica: Replica; as(key: string): TestCall };

async function serve(readUrl = standby.url("billow")): Promise<Serving> {
  const port = await freePort();
  const environment = { DATABASE_URL: primary.url("billow"), BILLOW_SECRET: "r".repeat(32), LOG_LEVEL: "silent" };
  const settings = { ...environment, DATABASE_READ_URL: readUrl, PORT: String(port), RATE_LIMIT: "0" };
  const ctx = await createContext(readConfig(settings), {}, "serve");
  await isCopy(ctx);
  const server = await startServer(ctx.requests, { web: createWebApp(ctx.requests) });
  onTestFinished(async () => {
    await server.close();
    await ctx.close();
  });
  const url = `http://127.0.0.1:${port}`;
  return { url, ctx, replica: ctx.replica!, as: (key) => caller(`${url}/manage/v1`, key) };
}

const createOrganization = ({ ctx }: Serving) =>
  ctx.db.tx((tx) => createOrganizationWithKeys(tx, { name: "Shop", mode: "sandbox" }));

/** The keys of a new Organization: of a program that makes changes, and of one that only reads. */
async function createKeys(serving: Serving): Promise<{ program: string; reader: string }> {
  const { keys } = await createOrganization(serving);
  const { secret } = await ok(serving.as(keys.manage)("POST", "/api-keys", { name: "Reader", scopes: ["manage"] }));
  return { program: keys.manage, reader: secret };
}

const commitStatement = sql("test.read_replica_commit", "INSERT INTO commits VALUES ($1)");
const newestStatement = sql("test.read_replica_newest", "SELECT coalesce(max(n), -1) AS newest FROM commits");

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
  for (const { as } of [serving, other]) await until(async () => (await ageOf(as(keys.reader))) !== null);
  await whilePaused(async () => {
    await ok(serving.as(keys.program)("POST", "/products", product("own")));
    for (const { as } of [serving, other]) {
      const [program, reader] = [as(keys.program), as(keys.reader)];
      expect([await namesOf(program), await namesOf(reader)]).toEqual([["own"], []]);
      expect([await ageOf(program), await ageOf(reader)]).toEqual([null, expect.any(String)]);
    }
  });
});

test("a read lacks no commit that is older than its age", async () => {
  const serving = await serve();
  const { db } = serving.ctx;
  await db.script("CREATE TABLE commits (n int)");
  await isRead(serving);
  const committedAt: number[] = [];
  const violations: unknown[] = [];
  let [isOpen, compared] = [true, 0];
  const keepWriting = async () => {
    for (let n = 0; isOpen; n += 1) {
      await db.tx((tx) => tx.query(commitStatement, [n]));
      committedAt.push(performance.now());
    }
  };
  const keepReading = async () => {
    while (isOpen) {
      const reads = serving.replica.reads(() => true);
      const [row] = await reads.query<{ newest: number }>(newestStatement).catch(() => []);
      const age = reads.age();
      if (row === undefined || age === null) {
        // A refused read ends at once. Without a turn of the event loop, such reads starve the answers of all others.
        await new Promise(setImmediate);
        continue;
      }
      const asOf = performance.now() - age;
      const due = committedAt.findLastIndex((at) => at < asOf);
      if (row.newest < due) violations.push({ newest: row.newest, due, age });
      compared += 1;
    }
  };
  const working = Promise.all([keepWriting(), keepReading(), keepReading()]);
  for (let turn = 0; turn < 5; turn += 1) {
    const [before, written] = [compared, committedAt.length];
    await whilePaused(() =>
      until(() => compared > before + 100 && committedAt.length > written + 100).then(() => undefined),
    );
  }
  isOpen = false;
  await working;
  expect(violations).toEqual([]);
}, 60_000);

test("pages and exports of the dashboard say their age, and show a person's own change", async () => {
  const serving = await serve();
  const { organization } = await createOrganization(serving);
  await setUp(serving.ctx, OWNER);
  const [changing, looking] = [await signInAt(serving.url, OWNER), await signInAt(serving.url, OWNER)];
  const home = `/dashboard/${organization.id}`;
  const pages = ["customers", "customers.csv", "search?q=new@example.com"].map((page) => `${home}/${page}`);
  await until(async () => (await looking.get(home)).text.includes("As of"));
  await whilePaused(async () => {
    for (const page of ["", "/audit-log", "/developers/events", "/metrics/mrr"])
      expect((await looking.get(home + page)).text).toMatch(/As of \d seconds? ago/);
    const made = await changing.sendOnce(`${home}/customers/new`, { email: "new@example.com" });
    expect(made.status).toBe(303);
    for (const page of pages) {
      const [own, other] = [await changing.get(page), await looking.get(page)];
      // The search leads to its only hit. Without a hit, its page repeats the typed text.
      const isShown = ({ status, text }: Page) => (page.includes("?q=") ? status === 303 : text.includes("new@"));
      expect([page, isShown(own), isShown(other)]).toEqual([page, true, false]);
      const isAged = ({ headers, text }: Page) => headers.has("Billow-Data-Age") || /As of \d seconds? ago/.test(text);
      expect([page, isAged(own), isAged(other)]).toEqual([page, false, true]);
    }
    const path = made.headers.get("Location")!;
    expect((await looking.get(path)).text).toContain("new@example.com");
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

const portStatement = sql("test.read_replica_port", "SELECT current_setting('port')::int AS port");
const writeStatement = sql("test.read_replica_write", "INSERT INTO write_probe VALUES (1)");

/** The address of a server, with the host of another one before it. */
const after = (first: OwnServer, { url }: OwnServer) =>
  url("billow").replace("127.0.0.1", `127.0.0.1:${first.port},127.0.0.1`);
const portOf = async ({ replica }: Serving) =>
  (await replica.reads(() => true).query<{ port: number }>(portStatement))[0]!.port;

test("of several hosts, the first replica is read", async () => {
  const serving = await serve(after(primary, standby));
  await isRead(serving);
  expect(await portOf(serving)).toBe(standby.port);
});

/** An address that leads each new connection to the next one of these servers. Returns its port. */
async function balance(servers: readonly OwnServer[]): Promise<number> {
  let turn = 0;
  const front = createServer((near) => {
    const far = connect(servers[turn++ % servers.length]!.port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => other.destroy()).pipe(other);
  });
  await once(front.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void front.close());
  return (front.address() as AddressInfo).port;
}

test("of several replicas behind one address, each request reads one", async () => {
  const second = await primary.standby();
  onTestFinished(() => second.remove());
  const port = await balance([standby, second]);
  const serving = await serve(`${standby.url("billow").replace(`:${standby.port}`, `:${port}`)}?sslmode=disable`);
  const portsOf = async () => {
    const reads = serving.replica.reads(() => true);
    const rows = await Promise.all([1, 2, 3, 4].map(() => reads.query<{ port: number }>(portStatement)));
    return [...new Set(rows.map(([row]) => row!.port))];
  };
  const found = new Set<number>();
  await until(async () => {
    const ports = await portsOf();
    expect(ports).toHaveLength(1);
    if (ports[0] !== primary.port) found.add(ports[0]!);
    return found.size === 2;
  });
});

test("a server that was promoted is left for another replica, and its sessions take no writes", async () => {
  const second = await primary.standby();
  onTestFinished(() => second.remove());
  const [serving, several] = [await serve(), await serve(after(standby, second))];
  await Promise.all([isRead(serving), isRead(several)]);
  expect(await portOf(several)).toBe(standby.port);
  const address = parseAddress(standby.url("billow"), {}, "replica");
  const db = openDatabase(routeOf(address, "transaction", true), { transactions: 1 });
  onTestFinished(() => db.end());
  await standby.administer("SELECT pg_promote()");
  await until(() => serving.replica.age() === null);
  expect(await serving.replica.whyUnused()).toMatchObject({ reason: "promoted" });
  await until(async () => (await portOf(several)) === second.port);
  const refused = await db.tx((tx) => tx.query(writeStatement)).catch((error: Error) => error.cause);
  expect(sqlState(refused)).toBe("25006");
});
