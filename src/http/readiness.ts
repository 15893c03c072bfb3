import { atMost } from "../clock.ts";
import type { Database } from "../store/driver/db.ts";
import { isCurrent } from "../store/migrate.ts";
import { whyUnwritable } from "../store/probes.ts";

/** The failed check of `/readyz`: a word for programs and a sentence for people. */
export type NotReady = { check: "stopping" | "database" | "schema" | "writes"; detail: string; cause?: unknown };

/** After a successful write, the next write comes 5 s later. After a failed write, it comes 1 s later. */
const WRITABLE_MILLISECONDS = 5_000;
const UNWRITABLE_MILLISECONDS = 1_000;
/**
 * A check waits this long for a running write. If the write takes longer, the check uses the result of the write
 * before.
 */
const WAIT_MILLISECONDS = 800;

/** Tests now and then whether the database can be written to. All checks share the result. */
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

  /** The reason that the database can't be written to, or null. */
  async failure(): Promise<unknown> {
    const validity = this.#failure === null ? WRITABLE_MILLISECONDS : UNWRITABLE_MILLISECONDS;
    if (!this.#running && performance.now() - this.#endedAt > validity) this.#running = this.#write();
    if (this.#running) await atMost(WAIT_MILLISECONDS, this.#running);
    return this.#failure;
  }
}

async function look(db: Database, writes: Writes): Promise<NotReady | null> {
  try {
    if (!(await isCurrent(db)))
      return {
        check: "schema",
        detail: "The database is not migrated to this version. Run node bin/billow.mjs migrate.",
      };
  } catch (cause) {
    return { check: "database", detail: "The database does not answer.", cause };
  }
  const cause = await writes.failure();
  return cause === null ? null : { check: "writes", detail: "The database answers, but can't be written to.", cause };
}

/**
 * Returns a function that answers null while requests can be served, else the failed check. Each check asks the
 * database, and concurrent checks share one query. If `db` waits for 800 ms at most, the answer comes within 2 s.
 */
export function createReadiness(db: Database): () => Promise<NotReady | null> {
  const writes = new Writes(db);
  let looking: Promise<NotReady | null> | null = null;
  return () => (looking ??= look(db, writes).finally(() => (looking = null)));
}
