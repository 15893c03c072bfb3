import { DatabaseSync } from "node:sqlite";
import { askUntil } from "./polling.ts";

/**
 * Locks between processes. Node has no flock, but Node's SQLite takes the kernel's record locks on an (empty) database
 * file. The kernel drops these locks when their process ends for any reason, so no lock goes stale. A lock file that
 * names its holder would fail here: a new process may get the id of a dead holder. No other code may open these files:
 * a process that closes such a file loses its locks on the file.
 */
export type Lock = Disposable;

const BUSY = 5;

/** Many processes may hold a shared lock, only one an exclusive lock. Undefined: another lock conflicts. */
export function tryLock(file: string, kind: "shared" | "exclusive"): Lock | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA journal_mode = MEMORY"); // no journal file beside it
    database.exec(kind === "exclusive" ? "BEGIN EXCLUSIVE" : "BEGIN; SELECT 1 FROM sqlite_schema");
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === BUSY) return undefined;
    throw error;
  }
}

/** Waits up to this many milliseconds for an exclusive lock. */
export function waitForLock(file: string, milliseconds: number): Promise<Lock | undefined> {
  return askUntil(milliseconds, () => tryLock(file, "exclusive"));
}
