import { afterAll, beforeAll, expect, test } from "vitest";
import pg from "pg";
import type { TestCall } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { startOwnServer, type OwnServer } from "../support/own-server.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { callersOf, foundShop, offerPro, type Keys } from "../support/command-shop.ts";
import { CARDS, ok } from "../support/story.ts";
import { until } from "../support/until.ts";

// A primary and a replica that each commit waits for. The primary dies under load, and the replica is promoted.

/** The most seconds from the promotion until a purchase succeeds again. A quiet machine takes less than one. */
const MOST_SECONDS = 15;
const BUYERS = 6;

let primary: OwnServer;
let standby: OwnServer;
let workspace: Workspace;
let receiver: Receiver;
let environment: Record<string, string>;
let keys: Keys;

beforeAll(async () => {
  primary = await startOwnServer();
  await primary.administer("CREATE DATABASE billow OWNER billow_owner");
  standby = await primary.standby();
  // Only the primary reads this line: the replica waits for no one after its promotion.
  await primary.administer("ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()");
  [workspace, receiver] = await Promise.all([createWorkspace(), startReceiver()]);
  const address = primary.url("billow").replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`);
  environment = { DATABASE_URL: address, BILLOW_SECRET: "f".repeat(32), RATE_LIMIT: "0" };
  keys = await foundShop(workspace, environment);
}, 540_000);
afterAll(async () => {
  await workspace.clear();
  await receiver.close();
  await standby.remove();
  await primary.remove();
});

/** Whether each commit waits for the replica. */
async function isSynchronous(): Promise<boolean> {
  const client = new pg.Client({ connectionString: primary.adminUrl() });
  await client.connect();
  const { rows } = await client.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
  await client.end();
  return rows.length === 1;
}

/** Sells one Subscription after the other, until `stop`. `sold`: the ids of those whose payment was acknowledged. */
function openShop(api: TestCall, manage: TestCall) {
  const sold: string[] = [];
  let isOpen = true;
  let buyers = 0;
  const sell = async () => {
    const customer = { email: `buyer${(buyers += 1)}@example.com` };
    const checkout = await api("POST", "/checkouts", { productKey: "pro", customer });
    if (checkout.status >= 300) return;
    const paid = await manage("POST", `/sandbox/checkouts/${checkout.body.id}/pay`, { card: CARDS.pays });
    if (paid.status < 300 && paid.body.subscriptionId !== null) sold.push(paid.body.subscriptionId);
  };
  const keepSelling = async () => {
    while (isOpen) await sell();
  };
  const selling = Promise.all(Array.from({ length: BUYERS }, keepSelling));
  return {
    sold,
    async stop() {
      isOpen = false;
      await selling;
    },
  };
}

test("a promotion under load loses no acknowledged purchase, and is over within 15 seconds", async () => {
  await until(isSynchronous);
  const [serving] = await Promise.all(
    ["serve", "worker"].map((command) => workspace.start([command, "--json"], environment)),
  );
  const { api, manage } = callersOf(serving!, keys);
  await offerPro(manage);
  await ok(manage("POST", "/webhook-endpoints", { url: receiver.url, events: ["invoice.paid"] }));

  const { sold, stop } = openShop(api, manage);
  await until(() => sold.length >= 30);
  await primary.kill();
  const before = sold.length;
  await standby.administer("SELECT pg_promote()");
  await until(() => sold.length > before, { seconds: MOST_SECONDS });
  await until(() => sold.length >= before + 30);
  await stop();

  const stored: string[] = [];
  for (const id of sold) stored.push((await ok(api("GET", `/subscriptions/${id}`))).status);
  expect(stored).toEqual(sold.map(() => "active"));
  // The worker found the new primary, too.
  const delivered = () => new Set(receiver.received.map(({ body }) => body.data.subscriptionId));
  await until(() => sold.every((id) => delivered().has(id)));
  const verified = await workspace.run(["verify", "--json"], environment);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
}, 540_000);
