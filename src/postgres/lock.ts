import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Locks between processes. Node has no flock, but the SQLite inside it takes the kernel's record locks on its (empty) file, and the kernel
 * drops them when their process ends, however it ends. So nothing goes stale, and no process can inherit a dead one's place with its
 * number, as with lock files that name their holder. Nothing else may open these files: closing one drops its process's locks on it.
 */
export type Lock = Disposable;

const BUSY = 5;

/** Any number of processes may hold a shared lock, one alone an exclusive one. Undefined: another lock is in the way. */
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
export async function waitForLock(file: string, patience: number): Promise<Lock | undefined> {
  const deadline = performance.now() + patience;
  for (;;) {
    const lock = tryLock(file, "exclusive");
    if (lock || performance.now() > deadline) return lock;
    await sleep(10);
  }
}
