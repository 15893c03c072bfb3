import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Check } from "../../src/actions/doctor/check.ts";
import { openDatabase, sql } from "../../src/store/driver/db.ts";
import type { Json, TestCall } from "../support/app.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import { callersOf, foundShop, offerPro, type Keys } from "../support/command-shop.ts";
import type { InstalledServer } from "../support/installed-server.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { CARDS, ok } from "../support/story.ts";
import { until } from "../support/until.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";

// Processes over different nodes of one cluster. No process but `migrate` and `distribute` names the coordinator.

const poolStatement = sql(
  "test.any_node_pool",
  "SELECT current_setting('citus.max_adaptive_executor_pool_size') AS most",
);

let cluster: CitusCluster;
let workspace: Workspace;
let receiver: Receiver;

beforeAll(async () => {
  [cluster, workspace, receiver] = await Promise.all([startCluster(2), createWorkspace(), startReceiver()]);
});
afterAll(async () => {
  await workspace.clear();
  await receiver.close();
  await cluster.stop();
});

const settingsOf = (url: string) => ({ DATABASE_URL: url, BILLOW_SECRET: "s".repeat(32), RATE_LIMIT: "0" });
const at = (url: string, { port }: InstalledServer) => url.replace(/:\d+\//, `:${port}/`);
const nodes = () => [cluster.coordinator, ...cluster.workers];
const run = (url: string, ...args: string[]) => workspace.run(args, settingsOf(url));

async function checksAt(url: string): Promise<Check[]> {
  return (JSON.parse((await run(url, "doctor", "--json")).stdout) as { checks: Check[] }).checks;
}

async function expectSoundFromEachNode(url: string): Promise<void> {
  for (const node of nodes()) {
    expect(await run(at(url, node), "verify")).toMatchObject({ code: 0, stderr: "" });
    const faults = (await checksAt(at(url, node))).filter(({ status }) => status === "fault");
    expect(faults).toEqual([]);
  }
}

/** A new distributed installation with a sandbox, whose time begins in 2030. */
async function createShop(name: string): Promise<{ url: string; keys: Keys }> {
  const url = await cluster.createDatabase(name);
  expect(await run(url, "migrate")).toMatchObject({ code: 0 });
  expect(await run(url, "distribute")).toMatchObject({ code: 0 });
  const keys = await foundShop(workspace, settingsOf(url), "--clock", "2030-01-01T00:00:00Z");
  return { url, keys };
}

async function buy(api: TestCall, manage: TestCall, n: number): Promise<string> {
  const customer = { email: `buyer${n}@example.com` };
  const { id } = await ok(api("POST", "/checkouts", { productKey: "pro", customer }));
  return (await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }))).subscriptionId;
}

async function stop(...all: Started[]): Promise<string> {
  for (const each of all) each.signal("SIGTERM");
  const ended = await Promise.all(all.map(({ finished }) => finished));
  expect(ended.map(({ code }) => code)).toEqual(all.map(() => 0));
  return ended.map(({ stderr }) => stderr).join("");
}

test("servers and workers on different nodes sell, renew, send webhooks, and refuse a revoked key", async () => {
  const { url, keys } = await createShop("shop");
  const [one, two] = cluster.workers.map((node) => at(url, node)) as [string, string];
  const begin = (command: string, address: string) => workspace.start([command, "--json"], settingsOf(address));
  const [first, second, ...workers] = (await Promise.all([
    begin("serve", one),
    begin("serve", two),
    begin("worker", two),
    begin("worker", one),
  ])) as [Started, Started, ...Started[]];
  const callers = [callersOf(first, keys), callersOf(second, keys)] as const;
  const [{ api, manage }, other] = callers;
  await offerPro(manage);
  await ok(other.manage("POST", "/webhook-endpoints", { url: receiver.url, events: ["invoice.paid"] }));

  const buying = Array.from({ length: 10 }, (_, n) => buy(callers[n % 2]!.api, callers[(n + 1) % 2]!.manage, n));
  const bought = await Promise.all(buying);
  await ok(manage("POST", "/sandbox/clock/advance", { by: "P2M" }));
  const isAtRest = async () => (await ok(other.manage("GET", "/sandbox/clock"))).target === null;
  await until(isAtRest, { seconds: 120 });
  for (const id of bought)
    expect(await ok(api("GET", `/subscriptions/${id}`))).toMatchObject({
      status: "active",
      currentPeriodEnd: "2030-04-01T00:00:00.000Z",
    });
  // The purchase, and two renewals.
  const delivered = () =>
    receiver.received.map(({ body }: { body: Json }) => body.data.subscriptionId as string).sort();
  await until(() => delivered().length >= 30, { seconds: 60 });
  expect(delivered()).toEqual([...bought, ...bought, ...bought].sort());

  const made = await run(one, "keys", "create", "--scope", "public", "--json");
  const { id, secret } = JSON.parse(made.stdout) as { id: string; secret: string };
  const throughNode = (each: Started) =>
    callersOf(each, { ...keys, public: secret }).api("GET", `/subscriptions/${bought[0]}`);
  expect([(await throughNode(first)).status, (await throughNode(second)).status]).toEqual([200, 200]);
  expect(await run(one, "keys", "revoke", id)).toMatchObject({ code: 0 });
  // Each server remembers a key for less than a second.
  for (const each of [first, second])
    await until(async () => (await throughNode(each)).status === 401, { seconds: 10 });

  for (const { output } of [first, second]) expect((await fetch(`${output.url}/readyz`)).status).toBe(200);
  expect(await stop(first, second, ...workers)).toBe("");
  await expectSoundFromEachNode(url);
});

test("a statement over several shards takes one connection to each node, also in a transaction", async () => {
  const { url } = await createShop("settings");
  for (const node of nodes()) {
    const db = openDatabase({ connectionString: at(url, node) });
    onTestFinished(() => db.end());
    expect(await db.read.query(poolStatement)).toEqual([{ most: "1" }]);
    expect(await db.tx((tx) => tx.query(poolStatement))).toEqual([{ most: "1" }]);
  }
});

/** The errors that two equal writes at the same time, or one after the other, have through a node. */
test("a key that is taken through another node is refused by its name, and a race has one winner", async () => {
  const { url, keys } = await createShop("races");
  const servers = await Promise.all(
    nodes().map((node) => workspace.start(["serve", "--json"], settingsOf(at(url, node)))),
  );
  const callers = servers.map((server) => callersOf(server, keys));
  await offerPro(callers[0]!.manage);
  const prices = [{ currency: "usd", amount: 3000 }];
  for (const { manage } of callers) {
    const again = await manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices });
    expect(again).toMatchObject({ status: 409, body: { code: "key_taken" } });
  }
  // One Customer, whom several requests make at the same moment.
  const customer = { email: "ada@example.com", externalId: "ada" };
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, n) => callers[n % 3]!.api("POST", "/checkouts", { productKey: "pro", customer })),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  expect(new Set(made.map(({ body }) => body.customerId)).size).toBe(1);
  expect(await stop(...servers)).toBe("");
  await expectSoundFromEachNode(url);
});

/** Gives a server a new timeline, as the promotion of its replica would. */
async function promote(node: InstalledServer): Promise<void> {
  node.write("standby.signal", "");
  await node.restart();
  await node.query("SELECT pg_promote()");
}

test("the promotion of a node is noticed once, through another node", async () => {
  const { url } = await createShop("promoted");
  const [near, far] = cluster.workers.map((node) => at(url, node)) as [string, string];
  const work = (address: string) => workspace.start(["worker", "--json"], settingsOf(address));
  const statusOf = async (address: string) =>
    (await checksAt(address)).find(({ name }) => name === "promotion")!.status;
  const first = await work(far);
  await until(async () => {
    const { rows } = await cluster.coordinator.query("SELECT timeline FROM installation", "promoted");
    return rows[0]?.timeline === "1" || rows[0]?.timeline === 1;
  });
  expect(await stop(first)).toBe("");
  await promote(cluster.workers[1]!);
  expect(await statusOf(near)).not.toBe("ok");
  const second = await work(near);
  await second.noted(/"timeline":2.*PostgreSQL was promoted or restored/);
  await stop(second);
  for (const node of nodes()) expect(await statusOf(at(url, node))).toBe("ok");
  expect(await stop(await work(far))).toBe("");
});

/** Gives a table the place that it had in the first release with `distribute`: on the coordinator alone. */
async function takeBack(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  for (const table of ["installation", "schema_migrations", "sign_in_failures"])
    await client.query(`SELECT undistribute_table('${table}')`);
  await client.query("SELECT run_command_on_workers('DROP TABLE write_probe')");
}

test("tables that the coordinator alone has are mended by `migrate` on the coordinator", async () => {
  const { url } = await createShop("earlier");
  await takeBack(url);
  const part = "The database is distributed in part: run node bin/billow.mjs migrate.";
  expect(await run(url, "worker")).toMatchObject({ code: 1, stderr: `billow: ${part}\n` });
  const [node] = cluster.workers as [InstalledServer];
  expect(await run(at(url, node), "worker")).toMatchObject({
    code: 1,
    stderr: "billow: The database is not migrated: run node bin/billow.mjs migrate.\n",
  });
  const coordinator = `the coordinator, 127.0.0.1:${cluster.coordinator.port}`;
  expect(await run(at(url, node), "migrate")).toMatchObject({
    code: 1,
    stderr:
      `billow: DATABASE_URL names a worker node, and this work needs ${coordinator}: ` +
      "run node bin/billow.mjs migrate there.\n",
  });
  expect(await run(at(url, node), "distribute")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(`this node is a worker. Name ${coordinator}, in DATABASE_URL.`),
  });
  expect(await run(url, "migrate")).toMatchObject({ code: 0, stderr: "" });
  const { rows } = await node.query("SELECT to_regclass('write_probe') IS NOT NULL AS has", "earlier");
  expect(rows).toEqual([{ has: true }]);
  await expectSoundFromEachNode(url);
  expect(await run(at(url, node), "migrate")).toMatchObject({ code: 0, stdout: "The database is up to date.\n" });
});
