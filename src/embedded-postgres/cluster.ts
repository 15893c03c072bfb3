import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run, type Home, type User } from "./home.ts";
import { PostgresUnusable, reasonIn } from "./failure.ts";

/**
 * Defaults for a small machine: some 30 MB of memory in all. The operator may change these settings in
 * `data/postgresql.conf`.
 */
const DEFAULTS = {
  max_connections: "200",
  shared_buffers: "64MB", // takes memory only as it fills
  io_method: "sync", // saves three processes
  max_logical_replication_workers: "0", // saves one process
  timezone: "UTC",
  log_timezone: "UTC",
};

/**
 * initdb fills a draft. Only a complete and synced draft gets the name of the data directory, so a process that is
 * killed half-way leaves no directory that looks like a database. Encoding and collation are the same on each
 * platform: code point order, as in the "C" collation of our indexes.
 */
export async function createCluster(home: Home, native: string): Promise<void> {
  for (const name of await readdir(home.directory)) {
    // With retries, because the initdb of a killed process may still write to its draft.
    if (name.startsWith("draft-"))
      await rm(join(home.directory, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const draft = await mkdtemp(join(home.directory, "draft-"));
  const password = join(draft, "password");
  await writeFile(password, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
  await give(home.user, password);
  await give(home.user, draft);
  try {
    await run(home.user, join(native, "bin", "initdb"), [
      `--pgdata=${join(draft, "data")}`,
      // The only role, a superuser: a holder of its password can read and write the cluster's files anyway.
      `--username=${home.name}`,
      `--pwfile=${password}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...Object.entries(DEFAULTS).map(([name, value]) => `--set=${name}=${value}`),
    ]);
    await rename(password, join(home.directory, "password"));
    await rename(join(draft, "data"), home.data);
    await sync(home.directory);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    if (stderr === undefined) throw error;
    throw new PostgresUnusable(home, `initdb failed: ${reasonIn(stderr)}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The password of the cluster, after a check that the cluster is complete and of our major version. */
export async function openCluster(home: Home, major: string): Promise<string> {
  const remedy = `Restore it from a backup, or remove ${home.directory} to start empty`;
  const [version, password] = await Promise.all(
    [join(home.data, "PG_VERSION"), join(home.directory, "password")].map(async (path) => {
      if (!existsSync(path)) throw new PostgresUnusable(home, `${path} is missing`, remedy);
      return (await readFile(path, "utf8")).trim();
    }),
  );
  if (version === major) return password!;
  const isOlder = Number(version) < Number(major);
  throw new PostgresUnusable(
    home,
    `it holds data of PostgreSQL ${version}, and this release brings PostgreSQL ${major}`,
    isOlder ? home.remedies.newer : home.remedies.older,
  );
}

async function give(user: User | undefined, path: string): Promise<void> {
  if (user) await chown(path, user.uid, user.gid);
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
