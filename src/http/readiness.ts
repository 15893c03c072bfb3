import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../store/db.ts";
import { isCurrent } from "../store/migrate.ts";
import { whyUnwritable } from "../store/probes.ts";

/** Which check of `/readyz` failed, in a word for programs and in words for people. */
export type NotReady = { check: "stopping" | "database" | "schema" | "writes"; detail: string; cause?: unknown };

/** A database that was written to is written to again after 5 s; one that could not be, after a second. */
const WRITABLE_MILLISECONDS = 5_000;
const UNWRITABLE_MILLISECONDS = 1_000;
/** A check waits no longer for a write under way: until it ends, what the last write told counts. */
const WAIT_MILLISECONDS = 800;

/** Writes now and then, for all who ask. */
class Writes {
  readonly #db: Database;
  #failure: unknown = null;
  #endedAt = -Infinity;
  #running: Promise<void> | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  async #write(): Promise<void> {
    this.#failure = await whyUnwritable(this.#db);
    this.#endedAt = performance.now();
    this.#running = null;
  }

  /** Why the database can't be written to, or null. */
  async failure(): Promise<unknown> {
    const kept = this.#failure === null ? WRITABLE_MILLISECONDS : UNWRITABLE_MILLISECONDS;
    if (!this.#running && performance.now() - this.#endedAt > kept) this.#running = this.#write();
    if (this.#running) await Promise.race([this.#running, sleep(WAIT_MILLISECONDS, undefined, { ref: false })]);
    return this.#failure;
  }
}

async function look(db: Database, writes: Writes): Promise<NotReady | null> {
  try {
    if (!(await isCurrent(db))) return { check: "schema", detail: "The database is not migrated to this version: run billow migrate." };
  } catch (cause) {
    return { check: "database", detail: "The database does not answer.", cause };
  }
  const cause = await writes.failure();
  return cause === null ? null : { check: "writes", detail: "The database answers, but can't be written to.", cause };
}

/**
 * Answers null as long as requests can be served, else what is in the way. Each check asks the database, and checks at the same time
 * share the question; with a handle that waits for 800 ms the answer comes within 2 s.
 */
export function createReadiness(db: Database): () => Promise<NotReady | null> {
  const writes = new Writes(db);
  let looking: Promise<NotReady | null> | null = null;
  return () => (looking ??= look(db, writes).finally(() => (looking = null)));
}
