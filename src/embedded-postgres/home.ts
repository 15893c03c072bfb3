import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  realpath,
  rmdir,
  stat,
  symlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { PostgresUnusable, type ServerPaths } from "./failure.ts";

export type User = { name: string; uid: number; gid: number };

/** The paths and the user of the database of one data directory. */
export type Home = ServerPaths & {
  /** The real path. Holds the locks, the password, the log, and `data`. */
  directory: string;
  /** PostgreSQL's own data directory. */
  data: string;
  /** The user of PostgreSQL if this process is root, because PostgreSQL refuses to run as root; else undefined. */
  user: User | undefined;
};

/** Where root keeps databases that can't be in their data directories. Not /tmp, which a reboot may empty. */
const STATE = "/var/lib";

/**
 * The home is `<dataDir>/postgres`. If root works in a directory that no other user can enter (a project under /root),
 * the home is a symbolic link into `/var/lib/<name>` instead. As without the link, removing the data directory starts
 * with an empty database, and moving it keeps the database.
 */
export async function findHome(owned: ServerPaths, log: (line: string) => void): Promise<Home> {
  const { dataDir } = owned;
  const path = join(dataDir, "postgres");
  await makeDirectory(dataDir);
  // Without this line, the refusal would name a path below the file.
  if (!(await stat(dataDir)).isDirectory()) throw new PostgresUnusable(owned, "this is a file");
  const link = await readlink(path).catch(() => undefined);
  if (link !== undefined && !existsSync(path)) {
    throw new PostgresUnusable(
      owned,
      `its database was in ${link}, which is gone`,
      `Restore that, or remove ${path} to start empty`,
    );
  }
  const root = process.getuid?.() === 0;
  if (root && !existsSync(path)) await linkIfClosed(owned, path, log);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const directory = await realpath(path);
  await access(directory, constants.W_OK | constants.X_OK);
  const home: Home = { ...owned, directory, data: join(directory, "data"), user: undefined };
  if (!root) return home;

  const user = await userOf(home);
  if ((await stat(directory)).uid === 0) {
    // Root keeps the home, and PostgreSQL's user owns only `data`. So PostgreSQL's user can't put links where root
    // writes.
    await chown(directory, 0, user.gid);
    await chmod(directory, 0o710);
  }
  if (!(await canEnter(user, home))) {
    throw new PostgresUnusable(owned, `PostgreSQL refuses to run as root, and ${user.name} can't enter ${directory}`);
  }
  return { ...home, user };
}

/**
 * Makes a directory with its parents, one by one. Node's own recursion never ends below a parent such as /proc, which
 * refuses a new directory with "does not exist".
 */
async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeDirectory(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

async function linkIfClosed(owned: ServerPaths, path: string, log: (line: string) => void): Promise<void> {
  const { dataDir } = owned;
  const user = await unprivilegedUser(owned);
  if (await canEnter(user, { ...owned, directory: dataDir })) return;
  const state = join(STATE, owned.name);
  await mkdir(state, { recursive: true });
  await chmod(state, 0o755);
  const target = await mkdtemp(join(state, `${basename(dirname(dataDir)).slice(0, 40)}-`));
  try {
    await symlink(target, path);
  } catch (error) {
    await rmdir(target);
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return; // another process was first
    throw error;
  }
  log(`PostgreSQL refuses to run as root, and ${user.name} can't enter ${dataDir}: the database is kept in ${target}`);
}

/** The owner of the data if data exists, otherwise the owner of the home. A system user if both belong to root. */
async function userOf(home: Home): Promise<User> {
  for (const path of [home.data, home.directory]) {
    const owner = await stat(path).catch(() => undefined);
    if (owner && owner.uid !== 0) return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  return unprivilegedUser(home);
}

/** An existing user: initdb wants its user in /etc/passwd, and this module creates no users. */
async function unprivilegedUser(paths: ServerPaths): Promise<User> {
  const users = (await readFile("/etc/passwd", "utf8").catch(() => ""))
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid }) => uid > 0);
  const user =
    ["postgres", "_postgres", "nobody"].map((name) => users.find((one) => one.name === name)).find(Boolean) ?? users[0];
  if (user) return user;
  throw new PostgresUnusable(paths, "PostgreSQL refuses to run as root, and /etc/passwd names no other user");
}

/** Tries to enter the directory, because only a try also respects access lists and mounts. */
async function canEnter(user: User, home: ServerPaths & Pick<Home, "directory">): Promise<boolean> {
  try {
    await run(user, "/bin/sh", ["-c", 'cd "$0"', home.directory]);
    return true;
  } catch (error) {
    const { code } = error as { code: number | string };
    if (typeof code === "number") return false;
    throw new PostgresUnusable(
      home,
      `PostgreSQL refuses to run as root, and root can't start it as ${user.name} here (${code})`,
    );
  }
}

/** The options for starting PostgreSQL's programs. Our environment must not change their behaviour or messages. */
export function asUser(user: User | undefined) {
  return { cwd: "/", env: { LC_ALL: "C", TZ: "UTC" }, ...(user && { uid: user.uid, gid: user.gid }) };
}

/**
 * Runs a program to its end. Throws a failure with `code` (exit status, or errno for a failed start) and `stderr`.
 */
export function run(user: User | undefined, file: string, args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(file, args, asUser(user));
}
