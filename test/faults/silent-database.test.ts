import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { readConfig } from "../../src/config.ts";
import { createContext } from "../../src/context.ts";
import { startServer } from "../../src/http/server.ts";
import { joinEmbeddedDatabase } from "../../src/embedded-database.ts";
import { openDatabase } from "../../src/store/driver/db.ts";
import { FOR_PROBES, FOR_REQUESTS } from "../../src/store/driver/limits.ts";
import { migrate } from "../../src/store/migrate.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { caller, type Json, type TestAnswer, type TestCall } from "../support/app.ts";
import { auditAll } from "../support/audit.ts";
import { openBlackHole, type BlackHole } from "../support/black-hole.ts";
import { createTestDatabase, toUrl, type Connection } from "../support/database.ts";
import { freeze } from "../support/freeze.ts";
import { makeInstalled } from "../support/installed.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

/** A database that a test can silence and heal. */
type Silencer = { connection: Connection; silence(): Promise<void>; heal(): void };

async function startFreezable(): Promise<Silencer> {
  const dataDir = await mkdtemp(join(tmpdir(), "billow-frozen-"));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(dataDir, 0o755);
  await makeInstalled(dataDir);
  const postgres = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
  let thaw: () => void = () => undefined;
  onTestFinished(async () => {
    thaw();
    await postgres.leave();
    await rm(dataDir, { recursive: true });
  });
  const db = openDatabase(postgres.connection);
  await migrate(db);
  await db.end();
  return {
    connection: postgres.connection,
    silence: async () => void (thaw = await freeze(postgres.pid)),
    heal: () => thaw(),
  };
}

async function startCuttable(): Promise<Silencer & { hole: BlackHole }> {
  const { connection: straight, drop } = await createTestDatabase();
  const hole = await openBlackHole(straight);
  onTestFinished(async () => {
    await hole.close();
    await drop();
  });
  const connection = { ...straight, host: "127.0.0.1", port: hole.port };
  return { connection, hole, silence: async () => hole.cut(), heal: () => hole.heal() };
}

const FAULTS = [
  { fault: "is frozen", start: startFreezable },
  { fault: "is cut off", start: startCuttable },
];

/** A server and a worker with shorter time limits than operators have, so that the tests stay short. */
async function startWorld(connection: Connection, { worker: isWorking = true } = {}) {
  const open = (limits: Parameters<typeof openDatabase>[1]) => {
    const db = openDatabase(connection, limits);
    onTestFinished(() => db.end());
    return db;
  };
  const config = readConfig({
    DATABASE_URL: toUrl(connection),
    BILLOW_SECRET: "s".repeat(32),
    LOG_LEVEL: "silent",
    RATE_LIMIT: "0",
  });
  const probes = open({ ...FOR_PROBES, milliseconds: 500 });
  const over = (limits: Parameters<typeof openDatabase>[1]) =>
    createContext({ ...config, port: 0 }, { db: open(limits), probes });
  const ctx = await over({ ...FOR_REQUESTS, milliseconds: 2_000 });
  const work = await over({ milliseconds: 2_000 });
  const server = await startServer(ctx);
  const worker = isWorking ? startWorker(work) : null;
  onTestFinished(async () => {
    await worker?.stop();
    await server.close();
  });
  const { keys } = await ctx.db.tx((tx) => createOrganizationWithKeys(tx, { name: "Test", mode: "sandbox" }));
  const url = `http://127.0.0.1:${server.port}`;
  return { ctx, url, api: caller(`${url}/public/v2`, keys.public), manage: caller(`${url}/manage/v1`, keys.manage) };
}

const refused = { status: 503, body: { code: "unavailable" } };

function expectUnavailable(answer: TestAnswer): void {
  expect(answer).toMatchObject(refused);
  expect(answer.headers.get("Retry-After")).toBe("1");
}

const ready = async (url: string) => {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
};

/** Repeats a request with its key until it succeeds, as a client does. */
async function insist(call: TestCall, ...request: Parameters<TestCall>): Promise<TestAnswer> {
  const answered = await until(async () => {
    const answer = await call(...request);
    return answer.status < 300 ? answer : null;
  });
  return answered!;
}

describe.each(FAULTS)("while the database $fault", ({ start }) => {
  test("requests end with a 503, and all goes on once it answers", { timeout: 360_000 }, async () => {
    const database = await start();
    const { ctx, url, api, manage } = await startWorld(database.connection);
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await insist(manage, "POST", "/webhook-endpoints", { url: receiver.url });
    await insist(manage, "POST", "/products", {
      key: "book",
      name: "Book",
      prices: [{ currency: "usd", amount: 900 }],
    });
    const order = { productKey: "book", customer: { email: "ada@example.com" } };
    const { body: checkout } = await insist(api, "POST", "/checkouts", order);
    await expect.poll(() => ready(url)).toEqual({ status: 200, body: { status: "ready" } });
    const purchases = Array.from({ length: 20 }, (_, n) => ({
      externalId: `buyer-${n}`,
      email: `buyer-${n}@example.com`,
    }));
    const buy = (body: object, n: number) => api("POST", "/customers", body, { "Idempotency-Key": `buyer-${n}` });
    const pay = [
      "POST",
      `/sandbox/checkouts/${checkout.id}/pay`,
      { card: "4242424242424242" },
      { "Idempotency-Key": "pay" },
    ] as const;

    // The silence begins amid writes: some of them are answered, and some are not.
    const underway = purchases.map(buy);
    await Promise.race(underway);
    await database.silence();
    try {
      for (const answer of await Promise.all(underway)) if (answer.status !== 201) expectUnavailable(answer);
      for (const answer of await Promise.all([
        api("GET", "/benefit-grants"),
        manage(...pay),
        buy({ email: "x@example.com" }, 21),
      ])) {
        expectUnavailable(answer);
      }
      expect(await ready(url)).toMatchObject({ status: 503, body: { code: "unavailable", check: "database" } });
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      const figures = await (await fetch(`${url}/metrics`)).text();
      expect(figures).toMatch(/^billow_database_up 0$/m);
      expect(figures).toMatch(/^billow_webhook_overdue_seconds nan$/im);
      expect(figures).toMatch(/^process_cpu_seconds_total \d/m);
    } finally {
      database.heal();
    }

    await expect.poll(() => ready(url)).toMatchObject({ status: 200 });
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^billow_database_up 1$/m);
    // Each Customer was made once, whether or not the first attempt was kept.
    for (const [n, body] of purchases.entries())
      await insist(api, "POST", "/customers", body, { "Idempotency-Key": `buyer-${n}` });
    const made: Json[] = (await insist(manage, "GET", "/customers?limit=100")).body.data;
    const ids = made.map(({ externalId }) => externalId).filter((id) => id !== null);
    expect(ids.toSorted()).toEqual(purchases.map(({ externalId }) => externalId).toSorted());
    await insist(manage, ...pay);
    expect((await insist(manage, "GET", "/payments")).body.data).toMatchObject([{ status: "succeeded", amount: 900 }]);
    const completed = () => receiver.story().filter((each) => each.startsWith("checkout.completed"));
    await expect.poll(completed, { timeout: 180_000 }).toHaveLength(1);
    expect(await auditAll(ctx.db)).toEqual([]);
  });
});

test("a change is a 503 and made once if its COMMIT arrives, but is not answered", { timeout: 180_000 }, async () => {
  const { connection, hole } = await startCuttable();
  const { ctx, api, manage } = await startWorld(connection, { worker: false });
  await insist(manage, "GET", "/organization");
  const create = ["POST", "/customers", { email: "ada@example.com" }, { "Idempotency-Key": "ada" }] as const;
  // COMMIT travels with the statement that keeps the answer.
  hole.cutAfter("idempotency.answer");
  expectUnavailable(await api(...create));
  hole.heal();
  const { status, headers, body } = await insist(api, ...create);
  expect([status, headers.get("Idempotency-Replayed")]).toEqual([201, "true"]);
  expect((await insist(manage, "GET", "/customers")).body.data).toMatchObject([
    { id: body.id, email: "ada@example.com" },
  ]);
  expect(await auditAll(ctx.db)).toEqual([]);
});
