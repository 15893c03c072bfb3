import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";
import { startLoad } from "./load.ts";
import {
  auditShops,
  beginClock,
  createShops,
  hasArrived,
  historyOf,
  nodeOf,
  startService,
  type Service,
} from "./shops.ts";

// Rows move to another node while buyers buy and a worker renews.

const DATABASE = "billow";
/** A year of renewals on a busy machine. */
const LONG = { seconds: 400 };
/** Those of success, of a declined card or a Checkout that is no longer open, and of a database that is away. */
const EXPECTED = [200, 201, 409, 503];

let cluster: CitusCluster;
let service: Service;

beforeAll(async () => {
  cluster = await startCluster(2);
  await cluster.allowOnlineMoves();
  service = await startService(cluster, DATABASE);
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

const administer = (text: string) => cluster.coordinator.query(text, DATABASE);
const otherThan = (port: number) => cluster.workers.find((worker) => worker.port !== port)!.port;

/** Waits until no rows of an earlier move are left on the old node: a part can't return there before. */
async function cleanUp(): Promise<void> {
  await until(async () => {
    await administer("CALL citus_cleanup_orphaned_resources()");
    return (await administer("SELECT FROM pg_dist_cleanup")).rows.length === 0;
  });
}

/** Moves the rows of the Organization, and of those in the same part, to another node. */
async function move(organizationId: string, mode: string): Promise<number> {
  await cleanUp();
  const from = await nodeOf(service.ctx, organizationId);
  const to = otherThan(from);
  await administer(
    `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('organizations', '${organizationId}'::text),
       '127.0.0.1', ${from}, '127.0.0.1', ${to}, shard_transfer_mode := '${mode}')`,
  );
  return to;
}

test("an Organization moves while buyers buy and a worker renews: no write is lost, none is made twice", async () => {
  const [control, shop] = await createShops(service, cluster.workers, 1);
  await beginClock(service, control!);
  await until(() => hasArrived(service, control!));
  const expected = await historyOf(service, control!);
  const load = await startLoad(service);
  await load.more(100);
  await beginClock(service, shop!);
  for (const mode of ["block_writes", "force_logical"]) {
    for (const id of [load.organizationId, shop!.id]) {
      const to = await move(id, mode);
      expect(await nodeOf(service.ctx, id)).toBe(to);
      await load.more(50);
    }
  }
  for (const mode of ["block_writes", "force_logical"]) {
    const shards =
      "SELECT count(DISTINCT shardid)::int AS many FROM pg_dist_shard WHERE logicalrelid = 'organizations'::regclass";
    const before = (await administer(shards)).rows[0].many;
    const id = mode === "block_writes" ? load.organizationId : shop!.id;
    await administer(
      `SELECT isolate_tenant_to_new_shard('organizations', '${id}'::text, 'CASCADE', shard_transfer_mode := '${mode}')`,
    );
    expect((await administer(shards)).rows[0].many).toBeGreaterThan(before);
    await load.more(50);
  }
  await until(() => hasArrived(service, shop!));
  await load.finish();
  expect(load.statuses().filter((status) => !EXPECTED.includes(status))).toEqual([]);
  expect(await historyOf(service, shop!)).toEqual(expected);
  expect(await auditShops(service, [control!, shop!, { id: load.organizationId }])).toEqual([]);
});

test("a rebalance to a new node while a clock advances by a year: each renewal is done once", async () => {
  const [control, shop] = await createShops(service, cluster.workers, 1, 20);
  await beginClock(service, control!, "P1Y");
  await until(() => hasArrived(service, control!), LONG);
  const expected = await historyOf(service, control!);
  const bought = (await historyOf(service, shop!)).invoices;
  const added = await cluster.addWorker(DATABASE);
  await cluster.allowOnlineMoves();
  await beginClock(service, shop!, "P1Y");
  await until(async () => (await historyOf(service, shop!)).invoices > bought);
  await administer("SELECT rebalance_table_shards(shard_transfer_mode := 'force_logical')");
  const ofOrganizations = "SELECT shardid FROM pg_dist_shard WHERE logicalrelid = 'organizations'::regclass";
  const placed = `SELECT count(*)::int AS many FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
    WHERE nodeport = ${added.port} AND shardid IN (${ofOrganizations})`;
  expect((await administer(placed)).rows[0].many).toBeGreaterThan(0);
  await until(() => hasArrived(service, shop!), LONG);
  expect(await historyOf(service, shop!)).toEqual(expected);
  expect(await auditShops(service, [control!, shop!])).toEqual([]);
});
