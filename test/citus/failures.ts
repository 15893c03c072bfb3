import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { isNoted } from "../../src/store/catch-up.ts";
import { organizations } from "../../src/store/organizations.ts";
import type { InstalledServer } from "../support/installed-server.ts";
import { until } from "../support/until.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";
import { call, type Reply } from "./shop-calls.ts";
import {
  auditShops,
  beginClock,
  createShops,
  hasArrived,
  historyOf,
  startService,
  type History,
  type Service,
  type Shop,
} from "./shops.ts";

// A node or the coordinator is killed while a worker renews Subscriptions.

const DATABASE = "billow";
const UNAVAILABLE = { status: 503, retryAfter: "1", code: "unavailable" };
const answerOf = ({ status, retryAfter, body }: Reply) => ({ status, retryAfter, code: body.code });
const isOn =
  ({ port }: InstalledServer) =>
  (shop: Shop) =>
    shop.node === port;

let cluster: CitusCluster;
let service: Service;

beforeAll(async () => {
  cluster = await startCluster();
  service = await startService(cluster, DATABASE);
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

const allArrived = async (shops: readonly Shop[]) =>
  (await Promise.all(shops.map((shop) => hasArrived(service, shop)))).every(Boolean);

const renameStatement = sql("test.rename_shop", "UPDATE organizations SET name = $2 WHERE id = $1");
const nameOf = async ({ id }: Shop) => (await organizations.find(service.ctx.db.read, id))!.name;

/** Two shops on each node whose clocks are under way, and the history that each of them must have in the end. */
async function beginRenewals(): Promise<{ shops: Shop[]; expected: History }> {
  const [control, ...shops] = await createShops(service, cluster.workers, 2);
  await beginClock(service, control!);
  await until(() => hasArrived(service, control!));
  const expected = await historyOf(service, control!);
  const bought = new Map<Shop, number>();
  for (const shop of shops) bought.set(shop, (await historyOf(service, shop)).invoices);
  for (const shop of shops) await beginClock(service, shop);
  const hasBegun = async (shop: Shop) => (await historyOf(service, shop)).invoices > bought.get(shop)!;
  await until(async () => (await Promise.all(shops.map(hasBegun))).every(Boolean));
  expect(await allArrived(shops)).toBe(false);
  return { shops, expected };
}

/** Expects that the shops arrive with the history of a shop without a failure, and that no transaction is in doubt. */
async function expectDoneOnce(shops: readonly Shop[], expected: History): Promise<void> {
  await until(() => allArrived(shops));
  for (const shop of shops) expect(await historyOf(service, shop)).toEqual(expected);
  expect(await auditShops(service, shops)).toEqual([]);
  await cluster.coordinator.query("SELECT recover_prepared_transactions()", DATABASE);
  for (const node of [cluster.coordinator, ...cluster.workers])
    expect((await node.query("SELECT gid FROM pg_prepared_xacts", DATABASE)).rows).toEqual([]);
}

/** The answers to a read and to a write. */
const ask = async (shop: Shop): Promise<Reply[]> => [
  await call(service, shop, "GET", "/manage/v1/subscriptions?limit=1"),
  await call(service, shop, "POST", "/manage/v1/benefits", { key: "more", type: "feature", name: "More" }, "more"),
];

/** Expects that each request is answered as that of a database that is away. */
async function expectUnavailable(shops: readonly Shop[]): Promise<void> {
  for (const shop of shops) expect((await ask(shop)).map(answerOf)).toEqual([UNAVAILABLE, UNAVAILABLE]);
}

test("a killed node: its Organizations wait, the others go on, and each renewal is done once", async () => {
  const { shops, expected } = await beginRenewals();
  const [dying] = cluster.workers as [InstalledServer, InstalledServer];
  const [lost, left] = [shops.filter(isOn(dying)), shops.filter((shop) => !isOn(dying)(shop))];
  await dying.kill();
  await expectUnavailable(lost);
  for (const shop of left) expect((await ask(shop)).map(({ status }) => status)).toEqual([200, 201]);
  // The worker renews the others to their end.
  await until(() => allArrived(left));
  await expectUnavailable(lost);
  await dying.start();
  await expectDoneOnce(shops, expected);
  for (const shop of lost) expect((await ask(shop)).map(({ status }) => status)).toEqual([200, 201]);
});

test("a server and a worker start and migrate ends while a node is away", async () => {
  const [dying] = cluster.workers as [InstalledServer];
  await dying.kill();
  // The dead node has a copy of the recorded time, so the time can't be recorded and grows old.
  await until(async () => !(await isNoted(service.ctx.db.read, 60)));
  expect(await service.workspace.run(["migrate"], service.environment)).toMatchObject({ code: 0, stderr: "" });
  const server = await service.workspace.start(["serve", "--json"], service.environment);
  expect((await fetch(`${server.output.url}/readyz`)).status).toBe(200);
  const worker = await service.workspace.start(["worker"], service.environment);
  await worker.printed(/Billow carries out due work/);
  for (const each of [server, worker]) each.signal("SIGTERM");
  for (const each of [server, worker]) expect((await each.finished).code).toBe(0);
  await dying.start();
});

test("a transaction whose node dies before the COMMIT is not acknowledged", async () => {
  const [shop] = await createShops(service, cluster.workers.slice(0, 1), 1);
  const { db } = service.ctx;
  const dying = cluster.workers.find(({ port }) => port === shop!.node)!;
  const before = await nameOf(shop!);
  const renamed = db.tx(async (tx) => {
    await tx.query(renameStatement, [shop!.id, "Renamed"]);
    if (!dying.isKilled) await dying.kill();
  });
  await expect(renamed).rejects.toMatchObject({ code: "unavailable" });
  await dying.start();
  expect(await nameOf(shop!)).toBe(before);
});

test("a killed coordinator: every Organization waits, and each renewal is done once", async () => {
  const { shops, expected } = await beginRenewals();
  await cluster.coordinator.kill();
  await expectUnavailable(shops);
  await cluster.coordinator.start();
  await expectDoneOnce(shops, expected);
});
