import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findCitus, startCluster } from "../test/citus/cluster.ts";
import { startInstalledServer, type InstalledServer } from "../test/support/installed-server.ts";
import { cpuOf, serverCpuOf } from "./cpu.ts";
import { launch, SERVER, WORKER, type Running } from "./installation.ts";
import { NODE_FLAGS } from "./start.ts";

const ROOT = join(import.meta.dirname, "..");
const NAME = "billow";
const OWNER = "billow_owner";
const SECRET = "b".repeat(32);
/** Two parts for each of three nodes. */
const SHARDS = "6";
/** Kept connections change little, because Billow asks all parts of a node over one connection (decision 0107). */
const SETTINGS = { "citus.shard_count": SHARDS, "citus.max_cached_conns_per_worker": "4" };

/** `first`: all processes are connected to the coordinator. `spread`: each one to another node that holds rows. */
export type Entry = "first" | "spread";
/** Processor time in milliseconds, by the name of a node, and of the processes of Billow. */
export type Cpu = { nodes: Record<string, number>; billow: number };

/** An installation on one PostgreSQL, or on a coordinator and so many nodes that hold rows. */
export type Site = {
  name: string;
  nodes: number;
  /** A node without rows, for an Organization that is moved. */
  spare: InstalledServer | null;
  /** A connection of a superuser to the coordinator. */
  connect(): Promise<pg.Client>;
  /** The address for processes that are connected to the coordinator. */
  url: string;
  command(...args: string[]): Promise<unknown>;
  /** Starts so many servers or workers. */
  start(duty: "serve" | "worker", many: number, entry: Entry): Promise<Running[]>;
  cpu(running: readonly Running[]): Cpu;
  close(): Promise<void>;
};

const READY = { serve: /http:\/\/127\.0\.0\.1:\d+/, worker: /Billow carries out due work/ } as const;

const urlOf = ({ port }: InstalledServer) => `postgres://${OWNER}@127.0.0.1:${port}/${NAME}`;

const environmentOf = (folder: string, url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: url,
  BILLOW_SECRET: SECRET,
  BILLOW_DATA_DIR: join(folder, "files"),
  LOG_LEVEL: "error",
  RATE_LIMIT: "0",
  PORT: "0",
});

type Servers = { coordinator: InstalledServer; workers: readonly InstalledServer[]; spare: InstalledServer | null };

function siteOn(name: string, { coordinator, workers, spare }: Servers, stop: () => Promise<void>): Site {
  const folder = mkdtempSync(join(tmpdir(), "billow-cluster-"));
  const servers = [coordinator, ...workers, ...(spare ? [spare] : [])];
  const nameOf = (server: InstalledServer) => {
    if (workers.length === 0) return "PostgreSQL";
    if (server === coordinator) return "coordinator";
    return server === spare ? "spare" : `node ${workers.indexOf(server) + 1}`;
  };
  const entries = workers.length > 0 ? workers : [coordinator];
  const running = new Set<Running>();
  return {
    name,
    nodes: workers.length,
    spare,
    url: urlOf(coordinator),
    async connect() {
      const client = new pg.Client({
        host: coordinator.directory,
        port: coordinator.port,
        user: "postgres",
        database: NAME,
      });
      await client.connect();
      await client.query("SET TimeZone = 'UTC'");
      return client;
    },
    async command(...args) {
      const options = { cwd: ROOT, env: environmentOf(folder, urlOf(coordinator)), maxBuffer: 2 ** 26 };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...NODE_FLAGS, SERVER[0]!, ...args, "--json"],
        options,
      );
      return JSON.parse(stdout);
    },
    async start(duty, many, entry) {
      const urls = Array.from({ length: many }, (_, n) =>
        urlOf(entry === "first" ? coordinator : entries[n % entries.length]!),
      );
      const started = await Promise.all(
        urls.map((url) => launch(duty === "serve" ? SERVER : WORKER, environmentOf(folder, url), READY[duty])),
      );
      for (const each of started) running.add(each);
      return started.map((each) => ({
        ...each,
        async stop(signal) {
          running.delete(each);
          await each.stop(signal);
        },
      }));
    },
    cpu: (processes) => ({
      nodes: Object.fromEntries(servers.map((server) => [nameOf(server), serverCpuOf(server.pid)])),
      billow: processes.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
    }),
    async close() {
      for (const each of running) await each.stop("SIGKILL");
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One PostgreSQL of the same version, without the extension. */
async function openPlain(): Promise<Site> {
  const server = await startInstalledServer({ bin: findCitus(), settings: { max_connections: "300", jit: "off" } });
  await server.query(`CREATE ROLE ${OWNER} LOGIN NOSUPERUSER`);
  await server.query(`CREATE DATABASE ${NAME} OWNER ${OWNER}`);
  return siteOn("one PostgreSQL", { coordinator: server, workers: [], spare: null }, () => server.stop());
}

/** A coordinator without rows, and so many nodes with rows. `hasSpare`: and a node that is empty. */
async function openCluster(nodes: number, hasSpare: boolean): Promise<Site> {
  const cluster = await startCluster(nodes + (hasSpare ? 1 : 0), SETTINGS);
  await cluster.createDatabase(NAME);
  const spare = hasSpare ? cluster.workers.at(-1)! : null;
  if (spare)
    await cluster.coordinator.query(
      `SELECT citus_set_node_property('127.0.0.1', ${spare.port}, 'shouldhaveshards', false)`,
      NAME,
    );
  await cluster.allowOnlineMoves();
  const servers = { coordinator: cluster.coordinator, workers: cluster.workers.slice(0, nodes), spare };
  return siteOn(nodes === 1 ? "1 node" : `${nodes} nodes`, servers, () => cluster.stop());
}

/** Starts a migrated installation on so many nodes that hold rows; 0: on one PostgreSQL without the extension. */
export async function openSite(nodes: number, hasSpare: boolean): Promise<Site> {
  const site = nodes === 0 ? await openPlain() : await openCluster(nodes, hasSpare);
  await site.command("migrate");
  if (nodes > 0) await site.command("distribute");
  return site;
}
