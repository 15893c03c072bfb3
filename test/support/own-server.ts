import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";
import { serverPaths } from "../../src/embedded-database.ts";
import { findPackage, prepareBinaries } from "../../src/embedded-postgres/binaries.ts";
import { asUser, run, type User } from "../../src/embedded-postgres/home.ts";
import { freeze, killPostgres, signal } from "./freeze.ts";
import { freePort, unprivileged } from "./installed-server.ts";
import { until } from "./until.ts";

/** A PostgreSQL with a cluster of its own, which listens on a free port of 127.0.0.1. */
export type OwnServer = {
  /** The owner of the databases: no superuser, but may create databases and roles. */
  url(database?: string): string;
  /** The superuser. */
  adminUrl(database?: string): string;
  port: number;
  /** PostgreSQL's process. */
  readonly pid: number;
  /** Runs statements as the superuser, one by one. */
  administer(...statements: string[]): Promise<void>;
  /** Kills every process of the server, as a power cut would. */
  kill(): Promise<void>;
  /** Starts the server again on its port, after `kill` or `stop`. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops every process of the server for the time of `work`. */
  whileFrozen(work: () => Promise<void>): Promise<void>;
  /** A server of its own that follows this one by streaming replication. */
  standby(): Promise<OwnServer>;
  /** Stops the server and removes its files. */
  remove(): Promise<void>;
};

const OWNER = "billow_owner";
const ADMIN = "administrator";
const PASSWORD = "secret";
const HOST = "127.0.0.1";

/** The settings of another operator's server: all of them differ from the embedded database's. */
const FOREIGN = {
  timezone: "'Pacific/Auckland'",
  datestyle: "'SQL, DMY'",
  intervalstyle: "'iso_8601'",
  default_transaction_isolation: "'repeatable read'",
  log_timezone: "'America/Caracas'",
};

/** Each process of the tests has connections of its own. */
const CONNECTIONS = { max_connections: "200" };

/** `user`: undefined for the user of the tests. `directory`: belongs to that user. */
type Cluster = { bin: string; locale: string; user: User | undefined; directory: string };

async function makeDirectory(user: User | undefined): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "billow-server-"));
  await chmod(directory, 0o700);
  if (user) await chown(directory, user.uid, user.gid);
  return directory;
}

/** The programs that `npm run test:server` found, or else those of the embedded PostgreSQL. */
async function createCluster(): Promise<Cluster> {
  const user = unprivileged();
  const directory = await makeDirectory(user);
  const found = process.env["TEST_SERVER_PROGRAMS"];
  if (found !== undefined) return { bin: found, locale: "en_US.UTF-8", user, directory };
  const paths = serverPaths(directory);
  const home = { ...paths, directory, data: join(directory, "data"), user };
  const native = await prepareBinaries(await findPackage(paths), home);
  return { bin: join(native, "bin"), locale: "C", user, directory };
}

const address = (user: string, port: number, database: string) =>
  `postgres://${user}:${PASSWORD}@${HOST}:${port}/${database}`;

/** PostgreSQL's process on a filled data directory. */
function processOf({ bin, user, directory }: Cluster, port: number) {
  let child: ChildProcess | undefined;
  const connect = async () => {
    const client = new pg.Client({ connectionString: address(ADMIN, port, "postgres") });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  const launch = () => {
    // The shell writes the log, because only PostgreSQL's user may enter the directory.
    const command = `exec "$0" -D "$1" -p ${port} -h ${HOST} -k "$1" >"$1/log" 2>&1`;
    const args = ["-c", command, join(bin, "postgres"), join(directory, "data")];
    child = spawn("/bin/sh", args, { ...asUser(user), stdio: "ignore" });
  };
  const isReady = async () => {
    if (child!.exitCode !== null) {
      const log = readFileSync(join(directory, "data", "log"), "utf8");
      // A session of a killed server lives on for a moment.
      if (!/still in use/.test(log)) throw new Error(`PostgreSQL ended: ${log}`);
      launch();
    }
    return connect().then(
      (client) => client.end().then(() => true),
      () => false,
    );
  };
  return {
    pid: () => child!.pid!,
    connect,
    async start() {
      launch();
      await until(isReady, { pause: 50 });
    },
    async end(kill: (pid: number) => unknown) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      await kill(child.pid!);
      await ended;
    },
  };
}

/** The programs for another server. Programs in the directory of a server go with that server, so they are copied. */
async function programsFor(directory: string, { bin, user, directory: owner }: Cluster): Promise<string> {
  if (!bin.startsWith(`${owner}/`)) return bin;
  const native = dirname(bin);
  await run(user, "/bin/cp", ["-a", native, directory]);
  return join(directory, basename(native), basename(bin));
}

/** Copies the files of a running server, as a base backup does. The copy will follow that server. */
async function copyRunning(client: pg.Client, from: Cluster, port: number): Promise<Cluster> {
  const directory = await makeDirectory(from.user);
  const cluster = { ...from, directory, bin: await programsFor(directory, from) };
  const data = join(cluster.directory, "data");
  await client.query("SELECT pg_backup_start('standby', true)");
  await run(from.user, "/bin/cp", ["-a", join(from.directory, "data"), data]);
  const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
  await write(cluster, "data/backup_label", rows[0]!.labelfile);
  await write(cluster, "data/standby.signal", "");
  const source = `user=${ADMIN} password=${PASSWORD} host=${HOST} port=${port} application_name=standby`;
  await appendFile(join(data, "postgresql.conf"), `primary_conninfo = '${source}'\n`);
  await rm(join(data, "postmaster.pid"));
  return cluster;
}

/** Starts PostgreSQL on a filled data directory. */
async function startOn(cluster: Cluster): Promise<OwnServer> {
  const port = await freePort();
  const { pid, connect, start, end } = processOf(cluster, port);
  await start();
  const withClient = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = await connect();
    return work(client).finally(() => client.end());
  };
  return {
    port,
    url: (database = "postgres") => address(OWNER, port, database),
    adminUrl: (database = "postgres") => address(ADMIN, port, database),
    get pid() {
      return pid();
    },
    administer: (...statements) =>
      withClient(async (client) => {
        for (const statement of statements) await client.query(statement);
      }),
    async whileFrozen(work) {
      const resume = await freeze(pid());
      await work().finally(resume);
    },
    kill: () => end(killPostgres),
    start,
    stop: () => end((server) => signal(server, "SIGINT")),
    standby: () => withClient((client) => copyRunning(client, cluster, port)).then(startOn),
    async remove() {
      await end((server) => signal(server, "SIGQUIT"));
      await rm(cluster.directory, { recursive: true });
    },
  };
}

async function write({ directory, user }: Cluster, name: string, text: string): Promise<void> {
  const path = join(directory, name);
  await writeFile(path, text, { mode: 0o600 });
  if (user) await chown(path, user.uid, user.gid);
}

/**
 * A new server with the settings of another operator, and `settings` of `postgresql.conf`. The programs and the locale
 * en_US.UTF-8 are those of the distribution under `npm run test:server`; else the programs are the embedded ones.
 */
export async function startOwnServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const cluster = await createCluster();
  const { bin, user, directory, locale } = cluster;
  await write(cluster, "password", PASSWORD);
  const options = ["-A", "scram-sha-256", "-E", "UTF8", `--locale=${locale}`, "--no-sync"];
  const paths = ["-D", join(directory, "data"), "--pwfile", join(directory, "password")];
  await run(user, join(bin, "initdb"), [...paths, "-U", ADMIN, ...options]);
  const lines = Object.entries({ ...FOREIGN, ...CONNECTIONS, ...settings }).map(
    ([name, value]) => `${name} = ${value}\n`,
  );
  await appendFile(join(directory, "data", "postgresql.conf"), lines.join(""));
  const server = await startOn(cluster);
  await server.administer(
    `CREATE ROLE ${OWNER} LOGIN NOSUPERUSER CREATEDB CREATEROLE PASSWORD '${PASSWORD}'`,
    // Tests delete rows without regard to foreign keys.
    `GRANT SET ON PARAMETER session_replication_role TO ${OWNER}`,
    // A test gives a database a setting that Billow refuses.
    `GRANT SET ON PARAMETER zero_damaged_pages TO ${OWNER}`,
    // A database is dropped although sessions of another role are left.
    `GRANT pg_signal_backend TO ${OWNER}`,
  );
  return server;
}
