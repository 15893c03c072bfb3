import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { atMost, realNow } from "../../clock.ts";
import { AppError, RETRY_SOON } from "../../errors.ts";
import { Notifier, type Queue } from "./notifier.ts";
import { withBulk, type Bulk } from "./bulk.ts";
import { Batched } from "./batch.ts";
import {
  isConnectionError,
  isNodeLost,
  isRaced,
  OTHER_COLUMNS,
  refuseForNow,
  SERIALIZATION_FAILURES,
  sqlState,
  STALE_PLANS,
  unavailable,
} from "./failures.ts";
import { socketOf } from "./internals.ts";
import { FOR_WORK, type Limits } from "./limits.ts";
import { CallDeadline, Watchdog } from "./call-deadline.ts";
import { openRead } from "./reads.ts";
import { directRoute, Route, type Pooling } from "./route.ts";
import { Session, sessionConfig, type Lent } from "./session.ts";
import { traced } from "../../tracing/tracing.ts";
import { noteFailure, spanOf, sql, textFor, type Read, type Snapshot, type Statement, type Tx } from "./statement.ts";

export { arraysSql, inTransactions, withArrays } from "./batch-forms.ts";
export { sql, statements, type Queryable, type Read, type Snapshot, type Statement, type Tx } from "./statement.ts";

export type Database = {
  read: Read;
  /**
   * Reads that may be a few seconds old: of lists, figures and pages that lead to no decision. Equal to `read`, unless
   * a request may read from a replica.
   */
  stale: Read;
  /**
   * After each commit the notifier wakes the queues that the commit filled. One notifier serves all handles of a
   * process.
   */
  notifier: Notifier;
  /**
   * Runs `work` in a transaction. Runs it again from its start on a serialization failure, a deadlock, a stale plan
   * or a raced key, five times at most, and once after a lost connection from a coordinator to a node: `work` must have
   * no effects outside of `tx`. `milliseconds`: how long the call waits for PostgreSQL, instead of the limit of the
   * handle.
   * @throws AppError `unavailable`. If no answer came in time, the transaction may have been committed all the same.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, milliseconds?: number): Promise<T>;
  /**
   * Like `tx`, but `work` only reads, and waits for no lock. The part of a `PartFirst` is committed in a transaction of
   * its own, because that part was due even without this call.
   */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>, milliseconds?: number): Promise<T>;
  /** Runs texts in one transaction without time limits (migrations), each text as its own message. */
  script(...texts: string[]): Promise<void>;
  /** Runs `work` on a connection of its own, for work on whole tables. Opens no transaction. */
  bulk<T>(work: (bulk: Bulk) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The number of connections for reads that were opened. Another number: the server may be another one. */
  openings(): number;
  /** The pooler on the way of the latest connection. */
  pooling(): Pooling;
  /**
   * Whether the tables stand on several nodes, by the extension Citus. Each new connection finds out. False before the
   * first connection.
   */
  isDistributed(): boolean;
  /** The address of the coordinator, if this is a worker node of a cluster; otherwise null. */
  coordinator(): string | null;
  end(): Promise<void>;
};

// Without names: for a prepared COMMIT, pg_stat_statements counts only the first run.
const BEGIN = { name: "", text: "BEGIN ISOLATION LEVEL READ COMMITTED", values: [] };
const BEGIN_SNAPSHOT = { name: "", text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", values: [] };
const COMMIT = { name: "", text: "COMMIT", values: [] };
const ROLLBACK = { name: "", text: "ROLLBACK", values: [] };
type Beginning = typeof BEGIN;

/** The most calls that may wait for a connection of transactions. More calls would only wait, and take memory. */
const MOST_WAITING = 1_000;
/** How long an orderly close of the connections may take. */
const CLOSE_MILLISECONDS = 2_000;
const ATTEMPTS = 5;
/** The workers' own polling finds work that is due later than this. */
const SOON_MILLISECONDS = 1_000;

/**
 * BEGIN is sent with the first statement, and COMMIT with the last. So a transaction waits for the server only if
 * `work` needs an answer. Six statements one by one cost three times as much as the same six in two trips.
 */
async function runTransaction<T>(
  client: pg.PoolClient & { lent?: Lent | null },
  { isDistributed }: Route,
  work: (tx: Tx) => Promise<T>,
  beginning: Beginning,
  { watchdog }: Watched,
  notifier: Notifier,
): Promise<T> {
  const { lent } = client;
  const connection = new Batched(client, lent?.hasNames);
  const filled = new Set<Queue>();
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  const ask = (statement: Statement, values: unknown[]) =>
    traced(
      () => spanOf(statement.name || statement.text),
      (span) => connection.query({ ...textFor(statement, isDistributed), values }).catch(noteFailure(span)),
    );
  const sent: Promise<void>[] = [connection.query(beginning).then(() => undefined, note)];
  if (lent) sent.push(connection.query({ ...lent.settings, values: [] }).then(() => undefined, note));
  try {
    const result = await work({
      kind: "tx",
      isDistributed,
      async query<Row>(statement: Statement, values: unknown[] = []) {
        const { rows } = await ask(statement, values);
        watchdog.heard();
        return rows as Row[];
      },
      send(statement, values, queue) {
        const hear = ({ rows }: pg.QueryResult<{ due?: boolean }>) => {
          if (queue && rows.some(({ due }) => due)) filled.add(queue);
        };
        sent.push(ask(statement, values).then(hear as (result: pg.QueryResult) => void, note));
      },
      wakes(queue, at) {
        if (at === undefined || (at !== null && at <= realNow() + SOON_MILLISECONDS)) filled.add(queue);
      },
    });
    // After an error `pg` fulfils COMMIT with the tag ROLLBACK. No write was kept, so no result may be answered.
    const { command } = await ask(COMMIT, []);
    watchdog.heard();
    // The answers to `sent` came before the answer to COMMIT. But the failure of the last statement may reach
    // `failures` some turns of the event loop later.
    await Promise.all(sent);
    if (command !== COMMIT.text || failures.length > 0)
      throw failures[0] ?? new Error("the transaction was rolled back at COMMIT");
    for (const queue of filled) notifier.wake(queue);
    return result;
  } catch (error) {
    await connection.query(ROLLBACK).then(() => watchdog.heard(), note);
    throw causeOf([...failures, error]) ?? error;
  }
}

const IN_FAILED_TRANSACTION = "25P02";

/**
 * The failure of the statement that failed first. Later statements only report the aborted transaction, but their
 * reports may arrive earlier.
 */
function causeOf(failures: readonly unknown[]): unknown {
  const ofDatabase = failures.filter((failure) => failure instanceof pg.DatabaseError);
  return ofDatabase.find(({ code }) => code !== IN_FAILED_TRANSACTION) ?? ofDatabase[0];
}

/** The watchdog of one call, and a promise that rejects once the call has waited long enough. */
type Watched = { watchdog: Watchdog; lost: Promise<never> };

async function watched<T>(
  deadline: CallDeadline,
  milliseconds: number | undefined,
  work: (watched: Watched) => Promise<T>,
): Promise<T> {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  const watchdog = new Watchdog(deadline, reject, milliseconds);
  try {
    return await work({ watchdog, lost });
  } finally {
    watchdog.end();
  }
}

/** The connections of transactions, and the way to make one. */
type Pooled = { pool: pg.Pool; route: Route };

/** A connection for one call. A connection that arrives after the call gave up goes back to the pool. */
async function acquire({ pool, route }: Pooled, { lost }: Watched): Promise<pg.PoolClient> {
  if (pool.waitingCount >= MOST_WAITING) throw refuseForNow(new Error("too many transactions wait for the database"));
  const connecting = route.connect(() => pool.connect());
  try {
    return await Promise.race([connecting, lost]);
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    throw error;
  }
}

const READ_ONLY = "25006";
const TRANSACTION = {
  name: "transaction",
  kind: "internal",
  within: "parent",
  attributes: { "db.system.name": "postgresql" },
} as const;

/**
 * Whether a connection works, but is of no use any more: the schema has changed, or its server became a standby and
 * another one takes the writes.
 */
function isLeft(error: unknown, beginning: Beginning, { route }: Pooled): boolean {
  const state = sqlState(error) ?? "";
  return STALE_PLANS.has(state) || (state === READ_ONLY && beginning === BEGIN && route.needs === "writes");
}

/** Runs `work` once. Closes the connection if no answer came in time: a late answer would reach another call. */
async function attempt<T>(
  pool: Pooled,
  notifier: Notifier,
  call: Watched,
  work: (tx: Tx) => Promise<T>,
  beginning: Beginning,
): Promise<T> {
  const client = await acquire(pool, call);
  let broken: Error | undefined;
  try {
    const run = () => runTransaction(client, pool.route, work, beginning, call, notifier);
    return await Promise.race([traced(() => TRANSACTION, run), call.lost]);
  } catch (error) {
    if (error instanceof Error && (isConnectionError(error) || isLeft(error, beginning, pool))) broken = error;
    if (call.watchdog.isLost) socketOf(client).destroy();
    throw error;
  } finally {
    client.release(broken);
  }
}

const UNLIMITED = ["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0"];

/** Runs a script, and then closes its connection: the script may have changed the settings of that session. */
async function runScript(pool: Pooled, call: Watched, texts: readonly string[]): Promise<void> {
  const client: pg.PoolClient & { lent?: Lent | null } = await acquire(pool, call);
  const settings = [...(client.lent ? [client.lent.settings.text] : []), ...UNLIMITED];
  const run = async () => {
    for (const text of [BEGIN.text, ...settings, ...texts, COMMIT.text]) await client.query(text);
  };
  try {
    await Promise.race([run(), call.lost]);
  } finally {
    if (call.watchdog.isLost) socketOf(client).destroy();
    client.release(true);
  }
}

function openPool(route: Route, limits: Limits): Pooled {
  const pool = new pg.Pool({
    ...sessionConfig(route, limits),
    // The pool makes each client with its options, but its types do not say so.
    Client: Session as unknown as new () => Session,
    max: limits.transactions,
    idleTimeoutMillis: 30_000,
  });
  pool.on("error", () => undefined);
  return { pool, route };
}

/** How long, in milliseconds, parts are committed ahead of their transaction. After this time the caller is refused. */
const PARTS_MILLISECONDS = 500;

/**
 * Thrown by the work of a transaction that would hold its locks for too long. `part` is committed in its own
 * transaction, and the work starts anew afterwards. After half a second of parts the caller gets this error, a 503; a
 * repeated request continues after the committed parts. `part` must not throw a PartFirst.
 */
export class PartFirst extends AppError {
  readonly part: (tx: Tx) => Promise<void>;
  constructor(part: (tx: Tx) => Promise<void>, detail: string) {
    super("unavailable", { detail, headers: RETRY_SOON });
    this.part = part;
  }
}

/**
 * Opens a handle on the database. The handle opens its own connections on demand. Handles with one route share what
 * they learn of its ways.
 */
export function openDatabase(
  connection: pg.ClientConfig | Route,
  own: Partial<Limits> = {},
  notifier = new Notifier(),
): Database {
  const limits = { ...FOR_WORK, ...own };
  const route = connection instanceof Route ? connection : directRoute(connection);
  const deadline = new CallDeadline(route, limits);
  const read = openRead(route, limits, deadline);
  const pooled = openPool(route, limits);

  async function transact<T>(work: (tx: Tx) => Promise<T>, call: Watched, beginning: Beginning): Promise<T> {
    const until = performance.now() + PARTS_MILLISECONDS;
    for (let n = 1; ; n++) {
      try {
        return await attempt(pooled, notifier, call, work, beginning);
      } catch (error) {
        if (error instanceof PartFirst && performance.now() < until) {
          await transact(error.part, call, BEGIN);
          n -= 1;
          continue;
        }
        const state = sqlState(error) ?? "";
        if (state === OTHER_COLUMNS) route.hasStaleNames = true;
        const again =
          SERIALIZATION_FAILURES.has(state) ||
          STALE_PLANS.has(state) ||
          isRaced(error) ||
          (n === 1 && isNodeLost(error));
        if (!again || n === ATTEMPTS) throw unavailable(error);
        await sleep(Math.random() * 10 * 2 ** n);
      }
    }
  }

  return {
    read,
    stale: read,
    notifier,
    tx: (work, milliseconds) => watched(deadline, milliseconds, (call) => transact(work, call, BEGIN)),
    snapshot: (work, milliseconds) =>
      watched(deadline, milliseconds, (call) =>
        transact(
          ({ query, isDistributed, send }) => work({ kind: "snapshot", query, isDistributed, send }),
          call,
          BEGIN_SNAPSHOT,
        ),
      ),
    bulk: (work, signal) => withBulk(route, work, signal),
    openings: read.openings,
    pooling: () => route.pooling,
    isDistributed: () => route.isDistributed,
    coordinator: () => route.coordinator,
    script: (...texts) => watched(deadline, Infinity, (call) => runScript(pooled, call, texts)),
    async end() {
      // A frozen server never answers the close.
      await atMost(CLOSE_MILLISECONDS, Promise.all([read.end(), pooled.pool.end()]));
    },
  };
}

const asyncCommitStatement = sql("db.async_commit", "SELECT set_config('synchronous_commit', 'off', true)");

/**
 * The same database, but a COMMIT is answered before the transaction is on the disk. For work that is simply repeated
 * if a power cut loses it. A power cut loses at most the transactions of the last half second: always the latest,
 * without gaps.
 */
export function withAsyncCommit(db: Database): Database {
  return {
    ...db,
    tx: (work, milliseconds) =>
      db.tx((tx) => {
        tx.send(asyncCommitStatement, []);
        return work(tx);
      }, milliseconds),
  };
}

const workerLimitsStatement = sql(
  "db.worker_limits",
  `SELECT set_config('statement_timeout', '${FOR_WORK.statementMilliseconds}', true),
     set_config('lock_timeout', '${FOR_WORK.lockMilliseconds}', true),
     set_config('idle_in_transaction_session_timeout', '${FOR_WORK.idleMilliseconds}', true)`,
);

/**
 * The same database for a slow request: its transactions have the worker's limits as long as PostgreSQL answers other
 * calls.
 */
export function withWorkerLimits(db: Database): Database {
  const limited =
    <T, Open extends Tx | Snapshot>(work: (tx: Open) => Promise<T>) =>
    (tx: Open) => {
      tx.send(workerLimitsStatement, []);
      return work(tx);
    };
  return {
    ...db,
    tx: (work) => db.tx(limited(work), FOR_WORK.milliseconds),
    snapshot: (work) => db.snapshot(limited(work), FOR_WORK.milliseconds),
  };
}
