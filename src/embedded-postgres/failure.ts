/** Remedies that only the program knows, each a sentence without its full stop. */
export type Remedies = {
  /** The data directory can't be used. */
  elsewhere: string;
  /** This machine can't run PostgreSQL of npm. */
  ownServer: string;
  /** The installed PostgreSQL has a newer major version than the data. */
  newer: string;
  /** The installed PostgreSQL is older than that of the data. */
  older: string;
};

/** A data directory, and the names and texts of the program that it belongs to. */
export type ServerPaths = {
  /** The directory that the program named, as an absolute path. */
  dataDir: string;
  /** The name of the database, of its only role and of the directories outside of `dataDir`. */
  name: string;
  remedies: Remedies;
};

/** PostgreSQL can't run on this data directory. `message`: one line with the directory, the reason and the remedy. */
export class PostgresUnusable extends Error {
  override readonly name = "PostgresUnusable";

  constructor({ dataDir, remedies }: Omit<ServerPaths, "name">, why: string, remedy = remedies.elsewhere) {
    super(`The embedded PostgreSQL can't use ${dataDir}: ${why}. ${remedy}.`.replaceAll(/\s+/g, " "));
  }
}

const WHY: Record<string, string> = {
  EACCES: "this user lacks the permission",
  EPERM: "this user lacks the permission",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "no directory can be made there",
  ENOTDIR: "a file is in the way",
  EEXIST: "a file is in the way",
  ENAMETOOLONG: "the path is too long",
};

/** Runs `work`. A refusal of the file system becomes a `PostgresUnusable`. */
export async function explained<T>(paths: ServerPaths, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_SQLITE_ERROR") throw new PostgresUnusable(paths, `its lock file can't be used (${message})`);
    const why = WHY[code ?? ""];
    if (why === undefined) throw error;
    throw new PostgresUnusable(paths, path === undefined || path === paths.dataDir ? why : `${why} (${path})`);
  }
}

/** The line of a PostgreSQL program's output that tells why the program gave up. */
export function reasonIn(output: string): string {
  const lines = output
    .trim()
    .split("\n")
    .filter((line) => !line.includes("FATAL:  the database system is")); // the answer to a client that asked too early
  const telling = lines.find((line) => /FATAL|PANIC|error:|could not/.test(line)) ?? lines.at(-1) ?? "";
  const reason = telling.replace(/^.*?(?:FATAL|PANIC|error): */, "") || "it gave no reason";
  return /No space left on device|wrote only \d+ of/.test(output) ? `the disk is full (${reason})` : reason;
}
