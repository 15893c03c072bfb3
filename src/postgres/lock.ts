import { DatabaseSync } from "node:sqlite";
import { askUntil } from "./ask-until.ts";

/**
 * Locks between processes. Node has no flock, but its SQLite takes the kernel's record locks on its (empty) file. The
 * kernel drops these locks when their process ends, however it ends. So no lock goes stale. And no process can take a
 * dead one's place by getting its number, as with lock files that name their holder. No other code may open these
 * files: closing one drops its process's locks on it.
 */
export type Lock = Disposable;

const BUSY = 5;

/** Many processes may hold a shared lock, only one an exclusive lock. Undefined: another lock is in the way. */
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

/** Waits up to `patience` milliseconds for an exclusive lock. */
export function waitForLock(file: string, patience: number): Promise<Lock | undefined> {
  return askUntil(patience, () => tryLock(file, "exclusive"));
}
