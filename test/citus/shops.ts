import { createCrowd, digest, START, type Digest } from "../../bench/crowd.ts";
import { advanceClock } from "../../src/actions/sandbox/advance-clock.ts";
import { readConfig } from "../../src/config.ts";
import { createContext, type Context } from "../../src/context.ts";
import { addCalendar } from "../../src/domain/calendar.ts";
import { sql } from "../../src/store/driver/db.ts";
import { organizations } from "../../src/store/organizations.ts";
import { audit, readBook } from "../support/audit.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import type { InstalledServer } from "../support/installed-server.ts";
import type { CitusCluster } from "./cluster.ts";

/** A sandbox with Subscriptions and a clock that stands still. `node`: the port of the node with its rows. */
export type Shop = { id: string; node: number; keys: { public: string; manage: string } };

/** Billow on a distributed database, as an operator runs it: one server and one worker. */
export type Service = {
  url: string;
  database: string;
  environment: Record<string, string>;
  ctx: Context;
  workspace: Workspace;
  server: Started;
  worker: Started;
  close(): Promise<void>;
};

const SUBSCRIPTIONS = 25;
const TWO_MONTHS = "P2M";

const settingsOf = (url: string) => ({
  DATABASE_URL: url,
  BILLOW_SECRET: "s".repeat(32),
  RATE_LIMIT: "0",
  LOG_LEVEL: "error",
});

/** Starts Billow on a new database of the cluster. */
export async function startService(cluster: CitusCluster, name: string): Promise<Service> {
  const database = await cluster.createDatabase(name);
  const workspace = await createWorkspace();
  const environment = settingsOf(database);
  for (const command of ["migrate", "distribute"]) {
    const { code, stderr } = await workspace.run([command], environment);
    if (code !== 0) throw new Error(`billow ${command} ended with ${code}: ${stderr}`);
  }
  const config = readConfig({ ...environment, LOG_LEVEL: "silent", BILLOW_DATA_DIR: `${workspace.directory}/.billow` });
  const ctx = await createContext(config);
  const server = await workspace.start(["serve", "--json"], environment);
  const worker = await workspace.start(["worker"], environment);
  return {
    url: server.output.url,
    database,
    environment,
    ctx,
    workspace,
    server,
    worker,
    async close() {
      await workspace.clear();
      await ctx.close();
    },
  };
}

const nodeStatement = sql(
  "test.node_of_organization",
  `SELECT nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
   WHERE shardid = get_shard_id_for_distribution_column('organizations', $1::text)`,
);

export async function nodeOf({ db }: Context, id: string): Promise<number> {
  const [found] = await db.read.query<{ port: number }>(nodeStatement, [id]);
  return found!.port;
}

async function createShop({ ctx, workspace, environment }: Service, subscriptions: number): Promise<Shop> {
  // The statistics of all tables are taken once, and not for each shop.
  const id = await createCrowd({ ...ctx, db: { ...ctx.db, script: async () => undefined } }, subscriptions);
  const key = async (scope: string) => {
    const args = ["keys", "create", "--scope", scope, "--organization", id, "--json"];
    return JSON.parse((await workspace.run(args, environment)).stdout).secret as string;
  };
  return { id, node: await nodeOf(ctx, id), keys: { public: await key("public"), manage: await key("manage") } };
}

/** So many shops on each of the nodes, and maybe some more. */
export async function createShops(
  service: Service,
  nodes: readonly InstalledServer[],
  each: number,
  subscriptions = SUBSCRIPTIONS,
): Promise<Shop[]> {
  const shops: Shop[] = [];
  const isMissing = ({ port }: InstalledServer) => shops.filter(({ node }) => node === port).length < each;
  while (nodes.some(isMissing)) shops.push(await createShop(service, subscriptions));
  await service.ctx.db.script("ANALYZE");
  return shops;
}

/** Lets the clock advance. A worker does all of the work. */
export async function beginClock({ ctx }: Service, { id }: Shop, period = TWO_MONTHS): Promise<void> {
  await advanceClock(ctx, id, { to: addCalendar(START, "UTC", period) }, 0);
}

/** Whether the clock has reached its target. */
export async function hasArrived({ ctx }: Service, { id }: Shop): Promise<boolean> {
  const organization = (await organizations.find(ctx.db.read, id))!;
  return organization.clockTarget === null && organization.clockAt! > START;
}

const chargesStatement = sql(
  "test.sandbox_charges",
  `SELECT count(*) AS charges FROM sandbox_charges WHERE organization_id = $1`,
);

/** `charges`: those in the provider's book that took money. */
export type History = Digest & { charges: number; booked: number };

/** The whole history of a shop without ids. */
export async function historyOf({ ctx }: Service, { id }: Shop): Promise<History> {
  const [row] = await ctx.db.read.query<{ charges: number }>(chargesStatement, [id]);
  return { ...(await digest(ctx, id)), charges: row!.charges, booked: (await readBook(ctx.db, id)).length };
}

/** The disagreements that `billow verify` finds in the shops. */
export async function auditShops({ ctx }: Service, shops: readonly Pick<Shop, "id">[]): Promise<string[]> {
  return (await Promise.all(shops.map(({ id }) => audit(ctx.db, id)))).flat();
}
