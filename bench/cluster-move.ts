import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { askUntil, CASES, type Asked } from "./cluster-load.ts";
import type { Target } from "./cluster-rows.ts";
import type { Site } from "./cluster-sites.ts";
import { originOf } from "./due-crowd.ts";

/** Milliseconds within which so many percent of the answers came. */
export const percentileOf = (times: readonly number[], percent: number): number =>
  times[Math.min(times.length - 1, Math.floor((times.length * percent) / 100))] ?? Number.NaN;

/** Requests of the other Organizations: while no part moves, while one moves, and afterwards. */
export type Move = { isolated: number; moved: number; phases: { name: string; asked: Asked }[] };

const isolateText = (id: string) =>
  `SELECT isolate_tenant_to_new_shard('organizations', '${id}', 'CASCADE', 'force_logical') AS shard`;
const sourceText = (shard: string) => `SELECT nodename, nodeport FROM pg_dist_shard_placement WHERE shardid = ${shard}`;

/** Gives the large Organization a node of its own, while others send requests. */
export async function measureMove(
  site: Site,
  client: pg.Client,
  id: string,
  targets: readonly Target[],
  seconds: number,
): Promise<Move> {
  const [server] = await site.start("serve", 1, "first");
  const bases = [originOf(server!)];
  const create = CASES.find(({ method }) => method === "POST")!;
  const during = async (name: string, work: () => Promise<unknown>) => {
    let isOver = false;
    const began = performance.now();
    const working = work().finally(() => (isOver = true));
    const [asked] = await Promise.all([askUntil(bases, targets, create, () => isOver), working]);
    return { name, asked, took: (performance.now() - began) / 1000 };
  };
  const idle = () => sleep(seconds * 1000);
  await during("warm", idle);
  const before = await during("before", idle);
  let shard = "";
  const isolation = await during("while it gets a part of its own", async () => {
    shard = (await client.query<{ shard: string }>(isolateText(id))).rows[0]!.shard;
  });
  const { nodename, nodeport } = (await client.query<{ nodename: string; nodeport: number }>(sourceText(shard)))
    .rows[0]!;
  const { port } = site.spare!;
  await client.query(`SELECT citus_set_node_property('127.0.0.1', ${port}, 'shouldhaveshards', true)`);
  const move = await during("while the part moves to the spare node", () =>
    client.query(
      `SELECT citus_move_shard_placement(${shard}, '${nodename}', ${nodeport}, '127.0.0.1', ${port}, 'force_logical')`,
    ),
  );
  const after = await during("afterwards", idle);
  await server!.stop("SIGTERM");
  const phases = [before, isolation, move, after].map(({ name, asked }) => ({ name, asked }));
  return { isolated: isolation.took, moved: move.took, phases };
}
