import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { reservePort } from "../../src/port.ts";
import { asUser, type User } from "../../src/embedded-postgres/home.ts";
import { killPostgres } from "./freeze.ts";
import { installPackage, isExecutable } from "./programs.ts";
import { until } from "./until.ts";

/** The folders below which packages of Debian, Ubuntu and Homebrew keep the programs of each version. */
const FOLDERS = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];
const HOW =
  "These tests need a PostgreSQL of a package besides the embedded one: on Debian and Ubuntu run " +
  "`apt-get install postgresql`, on macOS `brew install postgresql@17`.";

/** The directories with the programs of each installed PostgreSQL. */
export const installedServers = (): string[] =>
  FOLDERS.filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name, "bin")))
    .filter((bin) => isExecutable(join(bin, "initdb")));

/** As `installedServers`, after an installation if there is no server. @throws Error that says how to get one. */
export function findServers(): string[] {
  if (installedServers().length === 0) installPackage("postgresql");
  const found = installedServers();
  if (found.length === 0) throw new Error(HOW);
  return found;
}

/** PostgreSQL and its poolers refuse to run as root. Undefined: the user of the tests. */
export function unprivileged(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  const found = ["postgres:", "nobody:"].map((name) => users.find((line) => line.startsWith(name))).find(Boolean);
  const [name = "", , uid, gid] = (found ?? "").split(":");
  if (!found) throw new Error("PostgreSQL refuses to run as root, and there is no user postgres or nobody");
  return { name, uid: Number(uid), gid: Number(gid) };
}

export async function freePort(): Promise<number> {
  const reserved = await reservePort("127.0.0.1", 0);
  await reserved.release();
  return reserved.port;
}

/** The server of a test, with the user `postgres` as its superuser. It trusts each user, unless `hba` says otherwise. */
export type InstalledServer = {
  /** Holds the unix socket and the data, in `data`. */
  directory: string;
  port: number;
  /** PostgreSQL's first process. */
  readonly pid: number;
  /** Runs a statement as the superuser. */
  query(text: string, database?: string): Promise<pg.QueryResult>;
  /** Reads the configuration and the certificates anew. */
  reload(): Promise<void>;
  restart(): Promise<void>;
  /** Kills every process of PostgreSQL, as a crash of its machine does. */
  kill(): Promise<void>;
  /** Killed, and not started again. */
  readonly isKilled: boolean;
  /** Starts a killed PostgreSQL again, on the same port. */
  start(): Promise<void>;
  /** Writes a file into the data directory, readable for PostgreSQL alone. */
  write(name: string, text: string): void;
  stop(): Promise<void>;
};

type Options = { bin: string; settings?: Record<string, string>; hba?: string; files?: Record<string, string> };

/** Starts a new, empty server of an installed PostgreSQL. It listens on a unix socket and on 127.0.0.1. */
export async function startInstalledServer({ bin, settings = {}, hba, files = {} }: Options): Promise<InstalledServer> {
  const user = unprivileged();
  const directory = mkdtempSync(join(tmpdir(), "billow-pg-"));
  const data = join(directory, "data");
  if (user) chownSync(directory, user.uid, user.gid);
  const options = asUser(user);
  await promisify(execFile)(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    options,
  );
  const port = await freePort();
  const write = (name: string, text: string) => {
    const path = join(data, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user) chownSync(path, user.uid, user.gid);
  };
  const all = { listen_addresses: "127.0.0.1", port, unix_socket_directories: directory, ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(data, "postgresql.auto.conf"), lines.join(""));
  if (hba !== undefined) write("pg_hba.conf", hba);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const query = async (text: string, database = "postgres") => {
    const client = new pg.Client({ host: directory, port, user: "postgres", database });
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  const start = async () => {
    const child = spawn(join(bin, "postgres"), ["-D", data], { ...options, stdio: "ignore" });
    const ended = once(child, "exit");
    const isUp = () =>
      query("SELECT 1").then(
        () => true,
        () => child.exitCode !== null,
      );
    await until(isUp);
    if (child.exitCode !== null) throw new Error(`PostgreSQL of ${bin} ended with ${child.exitCode}`);
    return {
      pid: child.pid!,
      isKilled: () => child.signalCode === "SIGKILL",
      async stop() {
        child.kill("SIGINT");
        if (child.exitCode === null && child.signalCode === null) await ended;
      },
      async kill() {
        await killPostgres(child.pid!);
        await ended;
      },
    };
  };
  let running = await start();
  return {
    directory,
    port,
    get pid() {
      return running.pid;
    },
    query,
    write,
    async reload() {
      await query("SELECT pg_reload_conf()");
    },
    async restart() {
      await running.stop();
      running = await start();
    },
    kill: () => running.kill(),
    get isKilled() {
      return running.isKilled();
    },
    async start() {
      running = await start();
    },
    async stop() {
      await running.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
