import { existsSync } from "node:fs";
import { join } from "node:path";
import { installedServers, startInstalledServer, type InstalledServer } from "../support/installed-server.ts";

/** The files of the extension, from the directory of the programs: on Debian and with Homebrew. */
const LIBRARIES = ["../lib/citus.so", "../lib/postgresql/citus.so", "../lib/postgresql/citus.dylib"];
const HOW =
  "No installed PostgreSQL has the extension Citus. Install the package for your PostgreSQL, such as " +
  "postgresql-17-citus-13.2 from the repository of Citus, and run the command again.";

/** Each backend of a coordinator opens sessions on each worker. */
const SETTINGS = {
  shared_preload_libraries: "citus",
  max_connections: "300",
  wal_level: "logical",
  jit: "off",
  // A node in another time zone shows statements that depend on the zone of their node.
  timezone: "Asia/Tokyo",
  "citus.shard_count": "8",
  // A statement that asks several shards asks them one after the other by default for a small cluster of tests.
  "citus.max_adaptive_executor_pool_size": "2",
};

/** The programs of an installed PostgreSQL that has the extension. @throws Error that says how to get one. */
export function findCitus(): string {
  const found = installedServers().filter((bin) => LIBRARIES.some((library) => existsSync(join(bin, library))));
  const bin = found.at(-1);
  if (bin === undefined) throw new Error(HOW);
  return bin;
}

/** A coordinator and its workers, each a PostgreSQL of its own on 127.0.0.1. */
export type CitusCluster = {
  coordinator: InstalledServer;
  workers: InstalledServer[];
  /** Makes an empty database on every node, and joins the nodes. Returns the coordinator's address for its owner. */
  createDatabase(name: string): Promise<string>;
  /** Starts one more worker, and joins it to the cluster of a database. */
  addWorker(name: string): Promise<InstalledServer>;
  /** Lets parts move while they are written. Some versions of PostgreSQL name the libraries that may decode the WAL. */
  allowOnlineMoves(): Promise<void>;
  stop(): Promise<void>;
};

const OWNER = "billow_owner";

/** @param settings replace settings of the nodes. */
export async function startCluster(many = 2, settings: Record<string, string> = {}): Promise<CitusCluster> {
  const bin = findCitus();
  const start = () => startInstalledServer({ bin, settings: { ...SETTINGS, ...settings } });
  const nodes = await Promise.all(Array.from({ length: many + 1 }, start));
  const [coordinator, ...workers] = nodes as [InstalledServer, ...InstalledServer[]];
  for (const node of nodes) await node.query(`CREATE ROLE ${OWNER} LOGIN NOSUPERUSER`);
  const prepare = async (node: InstalledServer, name: string) => {
    await node.query(`CREATE DATABASE ${name} OWNER ${OWNER}`);
    await node.query("CREATE EXTENSION citus", name);
  };
  return {
    coordinator,
    workers,
    async createDatabase(name) {
      for (const node of nodes) await prepare(node, name);
      await coordinator.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`, name);
      for (const { port } of workers) await coordinator.query(`SELECT citus_add_node('127.0.0.1', ${port})`, name);
      return `postgres://${OWNER}@127.0.0.1:${coordinator.port}/${name}`;
    },
    async addWorker(name) {
      const node = await start();
      nodes.push(node);
      await node.query(`CREATE ROLE ${OWNER} LOGIN NOSUPERUSER`);
      await prepare(node, name);
      await node.query(`ALTER DATABASE ${name} SET TimeZone TO 'UTC'`);
      await coordinator.query(`SELECT citus_add_node('127.0.0.1', ${node.port})`, name);
      return node;
    },
    async allowOnlineMoves() {
      for (const node of nodes) {
        const { rows } = await node.query("SELECT FROM pg_settings WHERE name = 'output_plugin_libraries'");
        if (rows.length === 0) continue;
        await node.query("ALTER SYSTEM SET output_plugin_libraries = 'pgoutput', 'citus'");
        await node.reload();
      }
    },
    async stop() {
      for (const node of nodes) await node.stop();
    },
  };
}
