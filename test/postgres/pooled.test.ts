import { afterAll, beforeAll, expect, test } from "vitest";
import { advanceSandbox } from "../support/app.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import { findServers, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";
import { startPooler, type Pooler } from "../support/pooler.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { callersOf, foundShop, offerPro, type Keys } from "../support/command-shop.ts";
import { CARDS, ok } from "../support/story.ts";
import { until } from "../support/until.ts";

// Two servers and two workers share three sessions of PostgreSQL. A single process opens up to 20 connections.

const SESSIONS = 3;

let server: InstalledServer;
let pooler: Pooler;
let workspace: Workspace;
let receiver: Receiver;
let environment: Record<string, string>;
let keys: Keys;

beforeAll(async () => {
  server = await startInstalledServer({ bin: findServers()[0]! });
  await server.query("CREATE DATABASE billow");
  [pooler, workspace, receiver] = await Promise.all([
    startPooler(server, { pool_mode: "transaction", default_pool_size: String(SESSIONS), max_client_conn: "200" }),
    createWorkspace(),
    startReceiver(),
  ]);
  const address = `postgres://postgres@127.0.0.1:${pooler.connection.port}/billow`;
  environment = { DATABASE_URL: address, BILLOW_SECRET: "p".repeat(32), RATE_LIMIT: "0" };
  keys = await foundShop(workspace, environment, "--clock", "2026-01-10T09:00:00Z");
}, 540_000);
afterAll(async () => {
  await workspace.clear();
  await receiver.close();
  await pooler.stop();
  await server.stop();
});

/** The sessions of PostgreSQL that the pooler has opened, and the largest number of them. */
async function sessions(): Promise<number> {
  const text = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = 'billow'";
  return (await server.query(text)).rows[0].n;
}

const begin = (command: string): Promise<Started> => workspace.start([command, "--json"], environment);

async function buy({ api, manage }: ReturnType<typeof callersOf>, n: number): Promise<string> {
  const customer = { email: `buyer${n}@example.com`, externalId: `buyer${n}` };
  const { id } = await ok(api("POST", "/checkouts", { productKey: "pro", customer }));
  return (await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }))).subscriptionId;
}

test("purchases, renewals by the clock and webhooks pass through PgBouncer in transaction mode", async () => {
  const [one, other, ...workers] = await Promise.all(["serve", "serve", "worker", "worker"].map(begin));
  const servers = [one!, other!].map((started) => callersOf(started, keys));
  const { manage } = servers[0]!;
  await offerPro(manage);
  await ok(manage("POST", "/webhook-endpoints", { url: receiver.url, events: ["invoice.paid"] }));

  const buyers = Array.from({ length: 40 }, (_, n) => n);
  const subscriptions = await Promise.all(buyers.map((n) => buy(servers[n % 2]!, n)));
  expect(await sessions()).toBe(SESSIONS);
  await advanceSandbox(manage, { to: "2026-03-15T09:00:00Z" });
  for (const [n, id] of subscriptions.entries())
    expect(await ok(servers[n % 2]!.api("GET", `/subscriptions/${id}`))).toMatchObject({
      status: "active",
      currentPeriodStart: "2026-03-10T09:00:00.000Z",
    });

  // Only a worker delivers webhooks: of the purchase and of two renewals.
  await until(() => receiver.story().length >= 3 * buyers.length);
  expect(receiver.story().filter((line) => line.startsWith("invoice.paid"))).toHaveLength(3 * buyers.length);
  expect(await sessions()).toBe(SESSIONS);

  for (const started of [one!, other!, ...workers]) {
    started.signal("SIGTERM");
    expect(await started.finished).toMatchObject({ code: 0, stderr: "" });
  }
  const verified = await workspace.run(["verify", "--json"], environment);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
}, 360_000);
