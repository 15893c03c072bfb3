import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase, sql } from "../../src/store/driver/db.ts";
import { FOR_PROBES } from "../../src/store/driver/limits.ts";
import { whyUnwritable } from "../../src/store/probes.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { administer, type Connection } from "../support/database.ts";

let app: TestApp;
let connection: Connection;
beforeAll(async () => {
  app = await startTestApp();
  const url = new URL(app.ctx.config.databaseUrl!);
  connection = {
    host: url.searchParams.get("host")!,
    port: Number(url.searchParams.get("port")),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  };
});
afterAll(() => app.close());

async function ready() {
  const answer = await fetch(`${app.url}/readyz`);
  return { status: answer.status, retryAfter: answer.headers.get("Retry-After"), body: await answer.json() };
}

const READY = { status: 200, retryAfter: null, body: { status: "ready" } };

/** Changes a setting of the database, and ends its connections because the setting only counts for new ones. */
async function set(setting: string): Promise<void> {
  await administer(connection, `ALTER DATABASE ${connection.database} ${setting}`);
  await administer(
    connection,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${connection.database}'`,
  );
}

test("a read-only database is not ready, and its writes are a 503 until it writes again", async () => {
  expect(await ready()).toEqual(READY);
  await set("SET default_transaction_read_only = on");
  const unwritable = { status: 503, retryAfter: "1", body: { code: "unavailable", check: "writes" } };
  await expect.poll(ready).toMatchObject(unwritable);
  const create = () => app.api("POST", "/customers", { email: "ada@example.com" });
  expect(await create()).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect((await app.manage("GET", "/customers")).status).toBe(200);
  await set("RESET default_transaction_read_only");
  await expect.poll(ready).toEqual(READY);
  expect((await create()).status).toBe(201);
});

test("asking often writes seldom", async () => {
  const file = sql("test.file", "SELECT pg_relation_filepath('write_probe') AS path");
  const paths = new Set<unknown>();
  await expect.poll(ready).toEqual(READY);
  for (let n = 0; n < 20; n++) {
    await Promise.all([ready(), ready()]);
    const [row] = await app.ctx.db.read.query<{ path: string }>(file);
    paths.add(row!.path);
  }
  expect(paths.size).toBeLessThan(20);
});

test("a dump that reads the table meanwhile tells nothing about writing", async () => {
  const probes = openDatabase(connection, FOR_PROBES);
  const share = sql("test.share", "SELECT count(*) FROM write_probe");
  const dump = app.ctx.db.tx(async (tx) => {
    await tx.query(share);
    return whyUnwritable(probes);
  });
  expect(await dump).toBe(null);
  await probes.end();
});
