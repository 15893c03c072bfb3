import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import type { Connection } from "../support/database.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";
import { distributeTables } from "./distribute.ts";

let tearDown = async () => {};

const NAME = "billow_template";

/** A distributed database without connections. */
async function createTemplate(cluster: CitusCluster): Promise<Connection> {
  const { coordinator, workers } = cluster;
  const url = await cluster.createDatabase(NAME);
  const db = openDatabase({ connectionString: url });
  await migrate(db).finally(() => db.end());
  await distributeTables(url);
  // The process that Citus has for each database is connected, too.
  for (const node of [coordinator, ...workers]) {
    await node.query(`ALTER DATABASE ${NAME} ALLOW_CONNECTIONS false`);
    await node.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${NAME}'`);
  }
  const ports = workers.map(({ port }) => port);
  const server = { host: "127.0.0.1", port: coordinator.port, user: "postgres", password: "" };
  return { ...server, database: NAME, workers: ports };
}

/**
 * A cluster for a run in the place of the embedded PostgreSQL. Its template is distributed. PostgreSQL copies the own
 * tables of Citus with a database, so copies of the template on all nodes make a cluster. That takes a second.
 */
export async function setup({ vitest }: TestProject): Promise<void> {
  const run = vitest.getRootProject();
  // A copy of a database has none of the settings of ALTER DATABASE, such as its time zone. Each database has a process
  // of Citus.
  const nodes = { "citus.shard_count": "2", timezone: "UTC", max_worker_processes: "100" };
  const cluster = await startCluster(1, nodes);
  const template = await createTemplate(cluster).catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  const directory = await mkdtemp(join(tmpdir(), "billow-data-"));
  run.provide("template", template);
  run.provide("installed", null);
  run.provide("directory", directory);
  tearDown = async () => {
    await cluster.stop();
    await rm(directory, { recursive: true });
  };
}

export async function teardown(): Promise<void> {
  await tearDown();
}
