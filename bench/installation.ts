import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { startInstalledServer } from "../test/support/installed-server.ts";
import { NODE_FLAGS } from "./start.ts";

const ROOT = join(import.meta.dirname, "..");
const BILLOW = "bin/billow.mjs";
const SECRET = "b".repeat(32);
const DATABASE = "billow";

/**
 * Server, workers and bench have separate PostgreSQL roles, so that their sessions and statements can be told apart.
 */
export type Role = "server" | "worker" | "bench";
const ROLES: readonly Role[] = ["server", "worker", "bench"];

export type Running = { pid: number; output: string; stop(signal: NodeJS.Signals): Promise<void> };

/** Billow as an operator runs it, in a temporary directory with its own PostgreSQL, which counts the statements. */
export type Installation = {
  /** PostgreSQL's first process. */
  postgres: number;
  connect(role: Role, database?: string): Promise<pg.Client>;
  /** Runs a command and answers its JSON. @throws Error if the exit code is not 0. */
  command(args: string[], database?: string): Promise<unknown>;
  /** Runs a program of Node until it is stopped; answers once its output matches `ready`. */
  start(args: string[], role: Role, ready: RegExp): Promise<Running>;
  close(): Promise<void>;
};

export const WORKER = [BILLOW, "worker"];
export const SERVER = [BILLOW, "serve"];

/** Starts a program of Node, and answers once its output matches `ready`. @throws Error if the program ends before. */
export async function launch(args: string[], env: NodeJS.ProcessEnv, ready: RegExp): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, [...NODE_FLAGS, ...args], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const running = {
    pid: child.pid!,
    output: "",
    async stop(signal: NodeJS.Signals) {
      child.kill(signal);
      await ended;
    },
  };
  const started = Promise.withResolvers<void>();
  child.stdout!.on("data", (chunk: Buffer) => {
    running.output += chunk.toString();
    if (ready.test(running.output)) started.resolve();
  });
  await Promise.race([
    started.promise,
    ended.then(() => Promise.reject(new Error(`${args.join(" ")} ended: ${running.output}`))),
  ]);
  return running;
}

const PRELOADED = "pg_stat_statements";

type Postgres = { pid: number; connection: { host: string; port: number }; leave(): Promise<void> };

/** Makes the roles, and the extension that counts statements. */
async function prepareServer(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  await client.query(`CREATE EXTENSION ${PRELOADED}`);
  for (const role of ROLES) await client.query(`CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD '${SECRET}'`);
  await client.end();
}

async function embedded(dataDir: string): Promise<Postgres> {
  const first = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
  const client = new pg.Client({ ...first.connection });
  await client.connect();
  await client.query(`ALTER SYSTEM SET shared_preload_libraries = '${PRELOADED}'`);
  await client.end();
  await first.leave();
  const postgres = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
  await prepareServer(postgres.connection);
  return postgres;
}

/** An installed PostgreSQL with the settings of its package. */
async function installed(bin: string): Promise<Postgres> {
  const server = await startInstalledServer({ bin, settings: { shared_preload_libraries: PRELOADED } });
  await server.query(`CREATE DATABASE ${DATABASE}`);
  const connection = { host: server.directory, port: server.port };
  await prepareServer({ ...connection, user: "postgres", database: DATABASE });
  return { pid: server.pid, connection, leave: () => server.stop() };
}

/** `bin`: the programs of an installed PostgreSQL; left out: the embedded one. */
export async function install(bin?: string): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "billow-renewals-"));
  chmodSync(folder, 0o711);
  const postgres = bin === undefined ? await embedded(join(folder, "data")) : await installed(bin);
  const { connection } = postgres;

  const address = (role: Role, database = DATABASE) => {
    const url = new URL(`postgres://${role}:${SECRET}@localhost/${database}`);
    url.searchParams.set("host", connection.host);
    url.searchParams.set("port", String(connection.port));
    return url.href;
  };
  const environment = (role: Role, database?: string): NodeJS.ProcessEnv => ({
    ...process.env,
    DATABASE_URL: address(role, database),
    BILLOW_SECRET: SECRET,
    BILLOW_DATA_DIR: join(folder, "files"),
    LOG_LEVEL: "error",
    RATE_LIMIT: "0",
    PORT: "0",
  });
  const running = new Set<Running>();
  return {
    postgres: postgres.pid,
    async connect(role, database = DATABASE) {
      const made = new pg.Client({ connectionString: address(role, database), options: "-c TimeZone=UTC" });
      await made.connect();
      return made;
    },
    async command(args, database) {
      const options = { cwd: ROOT, env: environment("bench", database), maxBuffer: 2 ** 26 };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...NODE_FLAGS, BILLOW, ...args, "--json"],
        options,
      );
      return JSON.parse(stdout);
    },
    async start(args, role, ready) {
      const started = await launch(args, environment(role), ready);
      running.add(started);
      return {
        ...started,
        async stop(signal) {
          running.delete(started);
          await started.stop(signal);
        },
      };
    },
    async close() {
      for (const each of running) await each.stop("SIGKILL");
      await postgres.leave();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
