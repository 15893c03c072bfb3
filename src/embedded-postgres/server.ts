import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { lchown, lstat, mkdir, readFile, rm, rmdir, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { askUntil } from "./polling.ts";
import { asUser, run, type Home } from "./home.ts";
import { PostgresUnusable, reasonIn } from "./failure.ts";

export type Server = {
  home: Home;
  connection: Connection;
  /** The directory to start PostgreSQL from. Called only if PostgreSQL does not run. */
  binaries(): Promise<string>;
};

export type Connection = {
  /** The directory of the unix socket; PostgreSQL listens nowhere else. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
};

/** How long a start may take, in milliseconds: recovery after a crash may have to read 1 GB. */
export const START_MILLISECONDS = 120_000;

/** PostgreSQL listens on no port: this number is only a part of the socket's name. */
export const PORT = 5432;
const SOCKET = `.s.PGSQL.${PORT}`;

/**
 * Smart shutdown waits for sessions of other programs (such as psql), fast shutdown ends them. Each signal has its
 * limit in milliseconds.
 */
const SHUTDOWN = [
  ["SIGTERM", 2_000],
  ["SIGINT", 5_000],
] as const;

/** The size at which the log is emptied: about 50,000 lines. */
const LOG_BYTES = 5_000_000;

/** Settings that `postgresql.conf` can't change. */
function settings(socket: string): string[] {
  const fixed = {
    listen_addresses: "",
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    port: String(PORT),
    // A write is on the disk before it is answered.
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    // Sessions of a killed process end and release their locks even while their statement still runs.
    client_connection_check_interval: "1s",
    // PostgreSQL logs into the file that `trimLog` empties. The log has no statements and values, because these may
    // name people.
    log_destination: "stderr",
    logging_collector: "off",
    log_checkpoints: "off",
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
  };
  return Object.entries(fixed).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * The directory of the socket is the data directory, which only its user can enter. But the path of a unix socket is
 * limited, to 107 bytes on Linux and 103 on macOS. If the path is longer, the socket gets its own directory below /tmp.
 * A stranger that takes this name first causes only an error.
 */
export function socketPath(home: Home): string {
  if (Buffer.byteLength(join(home.data, SOCKET)) <= 103) return home.data;
  return `/tmp/${home.name}-${createHash("sha256").update(home.data).digest("hex").slice(0, 16)}`;
}

async function makeSocketDirectory(home: Home): Promise<void> {
  const path = socketPath(home);
  if (path === home.data) return;
  await mkdir(path, { mode: 0o700 }).catch(() => undefined);
  const me = { uid: process.getuid!(), gid: process.getgid!() };
  const owner = home.user ?? me;
  const found = await lstat(path);
  if (!found.isDirectory() || (found.uid !== owner.uid && found.uid !== me.uid)) {
    throw new PostgresUnusable(
      home,
      `${path}, meant for its socket, is another user's`,
      "Remove that, or use a shorter path",
    );
  }
  await lchown(path, owner.uid, owner.gid);
}

/**
 * Returns the process id of PostgreSQL once it answers. Adopts a running PostgreSQL, otherwise starts one. The caller
 * must hold the turn.
 */
export async function ensureRunning({ home, connection, binaries }: Server): Promise<number> {
  let launched: Launched | undefined;
  const pid = await askUntil(START_MILLISECONDS, async () => {
    const answer = await probe(home, connection);
    if (answer === "ready") return (await notedPid(home))!;
    if (launched?.ended) {
      const why = await launched.reason();
      // A part of a killed server lives on for a while: its startup process, or a session that is busy with a query.
      if (!/already exists|still in use/.test(why))
        throw new PostgresUnusable(home, `PostgreSQL ended at once: ${why}`);
      launched = undefined;
      await sleep(200);
    }
    if (!launched && answer === "silent" && (await serverPid(home)) === undefined)
      launched = await launch(home, await binaries());
    return undefined;
  });
  if (pid !== undefined) return pid;
  const asked = `PostgreSQL (process ${await notedPid(home)})`;
  const why = `${asked} gave no answer on ${connection.host} for ${START_MILLISECONDS / 1000} s`;
  throw new PostgresUnusable(home, why, `See ${logFile(home)}`);
}

type Launched = { ended: boolean; reason(): Promise<string> };

async function launch(home: Home, native: string): Promise<Launched> {
  await dropForeignLocks(home);
  await makeSocketDirectory(home);
  const log = openSync(logFile(home), "a", 0o600);
  const start = (await stat(logFile(home))).size;
  // Detached: neither Ctrl-C nor the end of our process group may reach PostgreSQL before our own work is done.
  const child = spawn(join(native, "bin", "postgres"), ["-D", home.data, ...settings(socketPath(home))], {
    ...asUser(home.user),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  const launched = {
    ended: false,
    reason: async () => reasonIn((await readFile(logFile(home))).subarray(start).toString()),
  };
  for (const event of ["exit", "error"]) child.once(event, () => (launched.ended = true));
  return launched;
}

/** An answer proves that the server is ours: with SCRAM the server, too, must know the password. */
async function probe(home: Home, connection: Connection): Promise<"ready" | "busy" | "silent"> {
  try {
    await execute(connection, "SELECT 1").catch((error: { code?: string }) => {
      if (error.code !== "3D000") throw error;
      return execute(
        { ...connection, database: "postgres" },
        `CREATE DATABASE
        ${connection.database}`,
      ); // the first start after initdb
    });
    return "ready";
  } catch (error) {
    if (!(error instanceof DatabaseError)) return "silent";
    // PostgreSQL is starting or stopping, or has too many connections.
    if (error.code === "57P03" || error.code === "53300") return "busy";
    throw new PostgresUnusable(home, `PostgreSQL runs there but refuses us: ${error.message}`);
  }
}

async function execute(connection: Connection, sql: string): Promise<void> {
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * The process that serves this data directory. The pid file alone is no proof: another program may have its number by
 * now.
 */
export async function serverPid(home: Home): Promise<number | undefined> {
  const pid = await notedPid(home);
  return pid !== undefined && (await serves(pid, home)) ? pid : undefined;
}

async function serves(pid: number, home: Home): Promise<boolean> {
  return (await commandLine(pid)).includes(` -D ${home.data} `);
}

function pidFile(home: Home): string {
  return join(home.data, "postmaster.pid");
}

async function notedPid(home: Home): Promise<number | undefined> {
  const pid = Number.parseInt(await readFile(pidFile(home), "utf8").catch(() => ""));
  return Number.isNaN(pid) ? undefined : pid;
}

/** Empty if there is no such process, or if it is dead and not yet reaped. */
async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === "linux") return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    return (await run(undefined, "/bin/ps", ["-ww", "-o", "command=", "-p", String(pid)])).stdout;
  } catch {
    return "";
  }
}

/**
 * PostgreSQL refuses to start while a live process has the number in one of the two lock files. After a reboot, another
 * program often has this number. The pid file of a dead process stays, because PostgreSQL needs the file to find
 * sessions that outlived their server.
 */
async function dropForeignLocks(home: Home): Promise<void> {
  const pid = await notedPid(home);
  if (pid !== undefined && signal(pid, 0)) await rm(pidFile(home));
  await rm(join(socketPath(home), `${SOCKET}.lock`), { force: true });
}

/** False if there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The caller must hold the turn, and there must be no members. */
export async function stopServer(home: Home): Promise<void> {
  const pid = await serverPid(home);
  if (pid === undefined) return;
  for (const [name, milliseconds] of SHUTDOWN) {
    if (!(await serves(pid, home))) break;
    signal(pid, name);
    await askUntil(milliseconds, async () => !(await serves(pid, home)));
  }
  if (socketPath(home) !== home.data) await rmdir(socketPath(home)).catch(() => undefined);
}

function logFile(home: Home): string {
  return join(home.directory, "log");
}

/** PostgreSQL appends to the log, so the log can be emptied while PostgreSQL runs. */
export async function trimLog(home: Home): Promise<void> {
  const found = await stat(logFile(home)).catch(() => undefined);
  if (found && found.size > LOG_BYTES) await truncate(logFile(home));
}
