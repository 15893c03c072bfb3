import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { pipeline } from "node:stream/promises";
import { unavailable } from "./failures.ts";
import { socketOf } from "./internals.ts";
import { FOR_WORK } from "./limits.ts";
import type { Route } from "./route.ts";
import { Session, sessionConfig, settingsOfBulk } from "./session.ts";

/**
 * A session of its own for work on whole tables: COPY needs one, and PostgreSQL ends no statement of a transaction that
 * `begin` has opened. A failure of the server is an AppError `unavailable`; a failure of `data` stays as it is.
 */
export type Bulk = {
  /** Begins a transaction with the statement `text`. `lock`: a statement that must run before the first read. */
  begin(text: string, lock?: string): Promise<void>;
  /** Commits. From now on, no stop ends the session, because the answer tells whether the rows are there. */
  commit(): Promise<void>;
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The bytes of `COPY … TO STDOUT`, and at their end the number of the rows. */
  copyOut(text: string): AsyncGenerator<Buffer, number, undefined>;
  /** Sends the bytes to `COPY … FROM STDIN`, and answers the number of the rows. */
  copyIn(text: string, data: AsyncIterable<Buffer>): Promise<number>;
};

/** A copy may take hours, and may wait as long for a full disk or a slow reader. */
const UNLIMITED = { ...FOR_WORK, statementMilliseconds: 0, lockMilliseconds: 0, idleMilliseconds: 0 };
// A pooler may lend the session to another program, so each transaction sets its own limits. The first two statements
// read no row: the lock comes before the snapshot.
const BEFORE_LOCK = ["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0"];
const AFTER_LOCK = settingsOfBulk(UNLIMITED);

/** The bytes of `data`. `onFailure` hears a failure of their source. */
async function* heard(data: AsyncIterable<Buffer>, onFailure: (error: unknown) => void): AsyncGenerator<Buffer> {
  try {
    yield* data;
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

function bulkOver(client: Session, dropStop: () => void): Bulk {
  const ask = async <Row>(text: string, values: unknown[] = []) => {
    try {
      return (await client.query({ text, values })).rows as Row[];
    } catch (error) {
      throw unavailable(error);
    }
  };
  return {
    async begin(text, lock) {
      const locks = lock === undefined ? [] : [...BEFORE_LOCK, lock];
      for (const each of [text, ...locks, AFTER_LOCK]) await ask(each);
    },
    async commit() {
      dropStop();
      await ask("COMMIT");
    },
    query: ask,
    async *copyOut(text) {
      const rows = client.query(copyTo(text));
      const chunks = rows[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await chunks.next().catch((error: unknown) => {
          throw unavailable(error);
        });
        if (done) break;
        yield value as Buffer;
      }
      // The server tells the number of the rows after their last byte. Any answer comes later.
      await ask("SELECT");
      return rows.rowCount;
    },
    async copyIn(text, data) {
      const rows = client.query(copyFrom(text));
      let failure: { error: unknown } | undefined;
      try {
        await pipeline(
          heard(data, (error) => (failure = { error })),
          rows,
        );
      } catch (error) {
        throw failure ? failure.error : unavailable(error);
      }
      return rows.rowCount;
    },
  };
}

/** The library for COPY takes over the socket, and a pipelined client refuses that. */
const configOf = (route: Route) => ({ ...sessionConfig(route, FOR_WORK), pipeline: false });

/**
 * Runs `work` on a new session, and closes the session. A transaction that `work` left open is rolled back.
 * `signal` ends the session in the middle of a statement.
 * @throws AppError `unavailable` if the server can't be reached, or can't work at the moment; the reason of `signal`
 */
export async function withBulk<T>(route: Route, work: (bulk: Bulk) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const client = await route
    .connect(async () => {
      const opened = new Session(configOf(route));
      await opened.connect();
      return opened;
    })
    .catch((error: unknown) => {
      throw unavailable(error);
    });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    socketOf(client).destroy();
  };
  const dropStop = () => signal?.removeEventListener("abort", stop);
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop);
    const result = await work(bulkOver(client, dropStop));
    await client.end();
    return result;
  } catch (error) {
    // A session in the middle of a COPY would wait for its end.
    socketOf(client).destroy();
    throw isStopped ? signal?.reason : error;
  } finally {
    dropStop();
  }
}
