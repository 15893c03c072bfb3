import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { joinEmbeddedDatabase } from "../../src/embedded-database.ts";
import { openDatabase, type Database } from "../../src/store/driver/db.ts";
import { startCluster } from "../citus/cluster.ts";
import type { Json } from "../support/app.ts";
import { createInstalledWorkspace, createWorkspace, type Workspace } from "../support/command-line.ts";
import { killPostgres } from "../support/freeze.ts";
import { startOwnServer } from "../support/own-server.ts";

/** The workspace of the service, and its PostgreSQL, which can be killed. */
export type Ground = {
  workspace: Workspace;
  /** The settings of the service's processes. */
  environment: Record<string, string>;
  /** The keys of the sandbox; null: the first start makes them. */
  keys: Json | null;
  /** Kills every process of PostgreSQL, or of some nodes of a cluster. */
  kill(): Promise<void>;
  /** Does as the operator of the machine: starts the killed PostgreSQL. */
  repair(): Promise<void>;
  /** Works on the database, while no service runs. */
  look<T>(work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** The embedded PostgreSQL, which Billow itself starts again. */
async function embedded(): Promise<Ground> {
  const workspace = await createInstalledWorkspace();
  const dataDir = join(workspace.directory, ".billow");
  return {
    workspace,
    environment: {},
    keys: null,
    async kill() {
      await killPostgres(Number.parseInt(await readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8")));
    },
    repair: async () => undefined,
    async look(work) {
      const postgres = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
      const db = openDatabase(postgres.connection);
      try {
        return await work(db);
      } finally {
        await db.end();
        await postgres.leave();
      }
    },
    close: () => workspace.clear(),
  };
}

/** A PostgreSQL that Billow finds by `DATABASE_URL`. `prepare`: the commands before `seed`. */
type Server = {
  url: string;
  prepare: string[];
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
};

/** A PostgreSQL of the distribution, with a role that is no superuser. */
async function ofDistribution(): Promise<Server> {
  const server = await startOwnServer();
  await server.administer("CREATE DATABASE billow OWNER billow_owner");
  return {
    url: server.url("billow"),
    prepare: ["migrate"],
    kill: () => server.kill(),
    start: () => server.start(),
    remove: () => server.remove(),
  };
}

/** A cluster with one worker, which has the rows. The coordinator dies, then the worker, then both, and so on. */
async function ofCluster(): Promise<Server> {
  const cluster = await startCluster(1);
  const nodes = [cluster.coordinator, ...cluster.workers];
  const victims = [...nodes.map((node) => [node]), nodes];
  let killed = nodes;
  return {
    url: await cluster.createDatabase("billow"),
    prepare: ["migrate", "distribute"],
    async kill() {
      killed = victims.shift()!;
      victims.push(killed);
      await Promise.all(killed.map((node) => node.kill()));
    },
    async start() {
      await Promise.all(killed.map((node) => node.start()));
    },
    remove: () => cluster.stop(),
  };
}

async function onServer(server: Server): Promise<Ground> {
  const workspace = await createWorkspace();
  const environment = { DATABASE_URL: server.url, BILLOW_SECRET: "c".repeat(32) };
  const run = async (...command: string[]) => {
    const { code, stdout, stderr } = await workspace.run(command, environment);
    if (code !== 0) throw new Error(`billow ${command.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  };
  for (const command of server.prepare) await run(command);
  const { keys } = JSON.parse(await run("seed", "--json"));
  let isKilled = false;
  return {
    workspace,
    environment,
    keys,
    async kill() {
      isKilled = true;
      await server.kill();
    },
    async repair() {
      if (isKilled) await server.start();
      isKilled = false;
    },
    async look(work) {
      const db = openDatabase({ connectionString: server.url });
      return work(db).finally(() => db.end());
    },
    async close() {
      await workspace.clear();
      await server.remove();
    },
  };
}

/** The embedded PostgreSQL, or one of the programs that `npm run test:server` found, or a cluster in a run over one. */
export async function createGround(): Promise<Ground> {
  if (inject("template").workers) return onServer(await ofCluster());
  return process.env["TEST_SERVER_PROGRAMS"] === undefined ? embedded() : onServer(await ofDistribution());
}
