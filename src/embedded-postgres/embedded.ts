import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPackage, prepareBinaries } from "./binaries.ts";
import { createCluster, openCluster } from "./cluster.ts";
import { findHome, type Home } from "./home.ts";
import { tryLock, waitForLock, type Lock } from "./lock.ts";
import {
  ensureRunning,
  START_MILLISECONDS,
  PORT,
  serverPid,
  socketPath,
  stopServer,
  trimLog,
  type Connection,
  type Server,
} from "./server.ts";
import { explained, PostgresUnusable, type ServerPaths } from "./failure.ts";

export { PostgresUnusable, type ServerPaths, type Remedies } from "./failure.ts";

export type EmbeddedPostgres = {
  connection: Connection;
  /** Whether this call created the database. */
  created: boolean;
  /** Whether other processes had joined before. */
  joined: boolean;
  /** PostgreSQL's process. The id changes when PostgreSQL had to be started again. */
  readonly pid: number;
  /** Close your connections first. The last member to leave stops PostgreSQL. May be called twice; never rejects. */
  leave(): Promise<void>;
};

/** `isFault`: an operator should read the line. */
export type Log = (line: string, isFault?: boolean) => void;

/**
 * How often a member checks that PostgreSQL runs, and how long a member waits after a failed start, in milliseconds.
 */
const LOOK = 1_000;
const REST = 10_000;

/**
 * How long a leaving member waits for its turn while others start or stop PostgreSQL, in milliseconds. The member is
 * about to exit, with or without the turn.
 */
const FAREWELL = 5_000;

/** Whether a start has made a database in this data directory. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, "postgres"));

/**
 * Joins the processes that share the PostgreSQL of one data directory. Creates the database if it does not exist yet,
 * and starts PostgreSQL unless it runs. Each member starts PostgreSQL again if PostgreSQL dies. A killed member simply
 * stops being a member, and PostgreSQL keeps running for the others. If no member is left, PostgreSQL runs until
 * another member has joined and left.
 * @throws {PostgresUnusable} if PostgreSQL can't run on that directory.
 */
export async function joinEmbeddedPostgres({ log, ...named }: ServerPaths & { log: Log }): Promise<EmbeddedPostgres> {
  const paths = { ...named, dataDir: resolve(named.dataDir) };
  return explained(paths, async () => {
    const npm = await findPackage(paths);
    const home = await findHome(paths, log);
    using _turn = await takeTurn(home);
    const joined = hasMembers(home);
    const membership = tryLock(membersFile(home), "shared")!; // only the holder of the turn takes it exclusively
    try {
      let prepared: Promise<string> | undefined;
      const binaries = () => (prepared ??= prepareBinaries(npm, home));
      const created = !existsSync(home.data);
      if (created) await createCluster(home, await binaries());
      const password = await openCluster(home, npm.major);
      const server = {
        home,
        binaries,
        connection: { host: socketPath(home), port: PORT, user: home.name, password, database: home.name },
      };
      const pid = await ensureRunning(server);
      log(`PostgreSQL ${npm.version} runs as process ${pid} on ${home.data}`);
      return member(server, membership, { created, joined, pid }, log);
    } catch (error) {
      await resign(home, membership);
      throw error;
    }
  });
}

type Joined = Pick<EmbeddedPostgres, "created" | "joined" | "pid">;

function member(server: Server, membership: Lock, { created, joined, pid }: Joined, log: Log): EmbeddedPostgres {
  const running = { pid };
  const leaving = new AbortController();
  void keepRunning(server, running, leaving.signal, log);
  let left: Promise<void> | undefined;
  const leave = async () => {
    leaving.abort();
    try {
      using _turn = await takeTurn(server.home, FAREWELL);
      await resign(server.home, membership);
    } catch (error) {
      membership[Symbol.dispose]();
      log(`PostgreSQL was left running: ${(error as Error).message}`);
    }
  };
  return {
    connection: server.connection,
    created,
    joined,
    get pid() {
      return running.pid;
    },
    leave: () => (left ??= leave()),
  };
}

async function keepRunning(server: Server, running: { pid: number }, leaving: AbortSignal, log: Log): Promise<void> {
  let pause = LOOK;
  while (await sleep(pause, true, { signal: leaving, ref: false }).catch(() => false)) {
    try {
      pause = LOOK;
      await trimLog(server.home);
      if ((await serverPid(server.home)) !== undefined) continue;
      using _turn = await takeTurn(server.home);
      if (leaving.aborted) return;
      const died = running.pid;
      running.pid = await ensureRunning(server);
      if (running.pid !== died)
        log(`PostgreSQL died (process ${died}) and was started again as process ${running.pid}`, true);
    } catch (error) {
      pause = REST;
      log((error as Error).message, true);
    }
  }
}

/** Only one process at a time starts or stops PostgreSQL, joins or leaves. */
async function takeTurn(home: Home, milliseconds = START_MILLISECONDS): Promise<Lock> {
  const turn = await waitForLock(join(home.directory, "turn.lock"), milliseconds);
  if (turn) return turn;
  throw new PostgresUnusable(
    home,
    `another process has been starting or stopping it for ${milliseconds / 1000} s`,
    "End that process",
  );
}

/** The caller must hold the turn, so that no process joins meanwhile. */
async function resign(home: Home, membership: Lock): Promise<void> {
  membership[Symbol.dispose]();
  using alone = tryLock(membersFile(home), "exclusive");
  if (alone) await stopServer(home);
}

/** The caller must hold the turn, and be no member. */
function hasMembers(home: Home): boolean {
  using alone = tryLock(membersFile(home), "exclusive");
  return alone === undefined;
}

/** Each member holds a shared lock on this file as long as it lives. */
function membersFile(home: Home): string {
  return join(home.directory, "members.lock");
}
