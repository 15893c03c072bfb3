import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { joinEmbeddedDatabase } from "../../src/embedded-database.ts";
import { openDatabase, type Database } from "../../src/store/driver/db.ts";
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
  /** Kills every process of PostgreSQL. */
  kill(): Promise<void>;
  /** Does as the operator of the machine: starts a killed PostgreSQL. */
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

/** A PostgreSQL of the distribution, with a role that is no superuser. */
async function ofDistribution(): Promise<Ground> {
  const server = await startOwnServer();
  const workspace = await createWorkspace();
  await server.administer("CREATE DATABASE billow OWNER billow_owner");
  const environment = { DATABASE_URL: server.url("billow"), BILLOW_SECRET: "c".repeat(32) };
  const commands = [["migrate"], ["seed", "--json"]];
  const outputs = [];
  for (const command of commands) {
    const { code, stdout, stderr } = await workspace.run(command, environment);
    if (code !== 0) throw new Error(`billow ${command.join(" ")} ended with ${code}: ${stderr}`);
    outputs.push(stdout);
  }
  let isKilled = false;
  return {
    workspace,
    environment,
    keys: JSON.parse(outputs[1]!).keys,
    async kill() {
      isKilled = true;
      await server.kill();
    },
    async repair() {
      if (isKilled) await server.start();
      isKilled = false;
    },
    async look(work) {
      const db = openDatabase({ connectionString: server.url("billow") });
      return work(db).finally(() => db.end());
    },
    async close() {
      await workspace.clear();
      await server.remove();
    },
  };
}

/** The embedded PostgreSQL, or one of the programs that `npm run test:server` found. */
export function createGround(): Promise<Ground> {
  return process.env["TEST_SERVER_PROGRAMS"] === undefined ? embedded() : ofDistribution();
}
