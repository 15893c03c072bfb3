import pg from "pg";
import { AppError } from "../errors.ts";

/** One named, prepared statement. The name is how PostgreSQL keeps its plan; the text is the SQL. */
export type Statement = { name: string; text: string };

export function sql(name: string, text: string): Statement {
  return { name, text };
}

type Run = <Row>(statement: Statement, values?: unknown[]) => Promise<Row[]>;
/** Single-statement reads over a few shared, pipelined connections. Never a transaction: another's BEGIN would enclose it. */
export type Read = { readonly kind: "read"; query: Run };
/** One open transaction on a connection of its own. */
export type Tx = {
  readonly kind: "tx";
  query: Run;
  /** Sends a statement whose rows nobody reads, without waiting for it; what goes wrong with it fails the transaction. */
  send(statement: Statement, values: unknown[]): void;
};
export type Queryable = Read | Tx;

export type Database = {
  read: Read;
  /**
   * Runs `work` in a transaction, again from its start on a serialization failure or deadlock, five times at the most: it must touch
   * nothing but `tx`. @throws AppError `unavailable`
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a script of several statements outside any transaction of ours (migrations). */
  script(text: string): Promise<void>;
  end(): Promise<void>;
};

const types = new pg.TypeOverrides();
const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** Money and counters are safe integers or an error: `pg` hands int8 and numeric over as text. */
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, which is not a safe integer`);
  return value;
}

/** `2026-01-31 00:00:00.123+00` (sessions run in UTC) as epoch milliseconds; `Date.parse` of it costs eight times as much. */
function toInstant(text: string): number {
  if (!text.endsWith("+00")) throw new RangeError(`the database answers ${text}, which is not in UTC`);
  const milliseconds = text.charCodeAt(19) === 46 ? Number(text.slice(20, text.indexOf("+", 20)).padEnd(3, "0").slice(0, 3)) : 0;
  // Date.UTC takes the years 0 to 99 for those of the last century.
  if (text.startsWith("00")) return Date.parse(text.replace(" ", "T").replace("+00", "Z"));
  const date = Date.UTC(
    +text.slice(0, 4),
    +text.slice(5, 7) - 1,
    +text.slice(8, 10),
    +text.slice(11, 13),
    +text.slice(14, 16),
    +text.slice(17, 19),
  );
  return date + milliseconds;
}

types.setTypeParser(INT8, toSafeInteger);
types.setTypeParser(NUMERIC, toSafeInteger);
types.setTypeParser(TIMESTAMPTZ, toInstant);

const SESSION = "-c TimeZone=UTC -c statement_timeout=30000 -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000";
const SERIALIZATION_FAILURES = new Set(["40001", "40P01"]);
/** Two that take one `externalId` or e-mail at the same moment: whoever looks again finds the other's Customer. */
const RACED_KEYS = new Set(["customers_external_id", "customers_email"]);
const STALE_PLANS = new Set(["0A000", "26000"]);
const ATTEMPTS = 5;

/** The SQLSTATE of a database error, or null for anything else. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null;
}

/** The unique index or constraint that a write ran into, or null. */
export function violated(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === "23505" ? (error.constraint ?? null) : null;
}

/** A database that can't be asked, or a transaction that lost to others at each attempt, is a 503, never a verdict about the request. */
function unavailable(error: unknown): unknown {
  const state = sqlState(error);
  const lost =
    state === null
      ? !(error instanceof AppError) && error instanceof Error && isConnectionError(error)
      : /^(08|28|3D|53|57|55P03)/.test(state) || SERIALIZATION_FAILURES.has(state);
  return lost ? new AppError("unavailable", { headers: { "Retry-After": "1" }, cause: error }) : error;
}

function isConnectionError(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  if (code && /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_)/.test(code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i.test(
    error.message,
  );
}

/** An address may bring options of its own (a search path, an endpoint), which would replace ours: ours come after them. */
function withSession({ connectionString, ...connection }: pg.ClientConfig): pg.ClientConfig {
  if (connectionString === undefined) return { ...connection, options: SESSION };
  const own = new URL(connectionString).searchParams.get("options");
  const options = encodeURIComponent([own, SESSION].filter(Boolean).join(" ")).replaceAll("%3D", "=");
  // Added to the text as it is, of which the last counts: written anew, a `+` or `%` in a password would become something else.
  return { ...connection, connectionString: `${connectionString}${connectionString.includes("?") ? "&" : "?"}options=${options}` };
}

function config(connection: pg.ClientConfig): pg.ClientConfig & { pipeline: true } {
  return {
    ...withSession(connection),
    types,
    application_name: "billow",
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    pipeline: true,
  };
}

/** Whatever is asked of a connection in one turn of the event loop goes out in one write. */
class Corked {
  readonly client: pg.ClientBase;
  #corked = false;

  constructor(client: pg.ClientBase) {
    this.client = client;
  }

  query(query: string | (Statement & { values: unknown[] })): Promise<pg.QueryResult> {
    if (!this.#corked) this.#cork();
    return typeof query === "string" ? this.client.query(query) : this.client.query(query);
  }

  #cork(): void {
    this.#corked = true;
    const { stream } = (this.client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection;
    stream.cork();
    process.nextTick(() => {
      this.#corked = false;
      stream.uncork();
    });
  }
}

/** A connection of the reads, made anew when it is lost. */
class ReadConnection {
  #connection: pg.ClientConfig;
  #client: Promise<Corked> | null = null;

  constructor(connection: pg.ClientConfig) {
    this.#connection = connection;
  }

  async query(statement: Statement, values: unknown[]): Promise<unknown[]> {
    const client = await (this.#client ??= this.#open());
    return (await client.query({ ...statement, values })).rows;
  }

  #open(): Promise<Corked> {
    const client = new pg.Client(this.#connection);
    const opened = client.connect().then(() => new Corked(client));
    // Only itself: by the time the end of a lost connection is told, another may have taken its place.
    const forget = () => void (this.#client === opened && (this.#client = null));
    client.on("error", forget).on("end", forget);
    opened.catch(forget);
    return opened;
  }

  /** Statements were prepared for a schema that has changed: the next query finds a new connection. */
  async renew(): Promise<void> {
    const old = this.#client;
    this.#client = null;
    await ((await old?.catch(() => null))?.client as pg.Client | undefined)?.end().catch(() => undefined);
  }

  async end(): Promise<void> {
    const open = await this.#client?.catch(() => null);
    await (open?.client as pg.Client | undefined)?.end();
  }
}

/** Few connections win for reads: 2 pipelined ones do 2.5 times what 16 plain ones do. */
const READ_CONNECTIONS = 2;

function openRead(connection: pg.ClientConfig): Read & { end(): Promise<void> } {
  const connections = Array.from({ length: READ_CONNECTIONS }, () => new ReadConnection(connection));
  let turn = 0;
  return {
    kind: "read",
    async query<Row>(statement: Statement, values: unknown[] = []) {
      const one = connections[turn++ % READ_CONNECTIONS]!;
      try {
        return (await one.query(statement, values)) as Row[];
      } catch (error) {
        if (!STALE_PLANS.has(sqlState(error) ?? "")) throw unavailable(error);
        void one.renew();
        return (await one.query(statement, values)) as Row[];
      }
    },
    end: async () => void (await Promise.all(connections.map((each) => each.end()))),
  };
}

/**
 * BEGIN goes out with the first statement and COMMIT with the last: a transaction waits for the server only where its work needs an
 * answer. Six statements one by one cost three times the requests of the same six in two trips.
 */
async function runTransaction<T>(client: pg.PoolClient, work: (tx: Tx) => Promise<T>): Promise<T> {
  const connection = new Corked(client);
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  connection.query("BEGIN").catch(note);
  try {
    const result = await work({
      kind: "tx",
      async query<Row>(statement: Statement, values: unknown[] = []) {
        return (await connection.query({ ...statement, values })).rows as Row[];
      },
      send: (statement, values) => void connection.query({ ...statement, values }).catch(note),
    });
    // After an error `pg` fulfils COMMIT with the tag ROLLBACK: nothing was kept, so nothing may be answered.
    const { command } = await connection.query("COMMIT");
    if (command !== "COMMIT") throw failures[0] ?? new Error("the transaction was rolled back at COMMIT");
    return result;
  } catch (error) {
    await connection.query("ROLLBACK").catch(note);
    // What failed first is the cause; later statements only say that the transaction is aborted.
    throw failures.find((failure) => failure instanceof pg.DatabaseError) ?? error;
  }
}

/** Opens the one database of a process. `max` bounds the connections that transactions use. */
export function openDatabase(connection: pg.ClientConfig, max = 16): Database {
  const settings = config(connection);
  const read = openRead(settings);
  const pool = new pg.Pool({ ...settings, max, idleTimeoutMillis: 30_000 });
  pool.on("error", () => undefined);
  // The pool listens to idle connections only. One that breaks in use fails its queries; unheard, it would end the process as well.
  pool.on("connect", (client) => client.on("error", () => undefined));

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await runTransaction(client, work);
    } catch (error) {
      if (error instanceof Error && (isConnectionError(error) || STALE_PLANS.has(sqlState(error) ?? ""))) broken = error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    read,
    async tx(work) {
      for (let n = 1; ; n++) {
        try {
          return await attempt(work);
        } catch (error) {
          const state = sqlState(error) ?? "";
          const again = SERIALIZATION_FAILURES.has(state) || STALE_PLANS.has(state) || RACED_KEYS.has(violated(error) ?? "");
          if (!again || n === ATTEMPTS) throw unavailable(error);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** n));
        }
      }
    },
    async script(text) {
      const client = await pool.connect();
      try {
        await client.query("SET statement_timeout = 0; SET lock_timeout = 0");
        await client.query(text);
      } finally {
        client.release(true);
      }
    },
    async end() {
      await Promise.all([read.end(), pool.end()]);
    },
  };
}

const unhurriedStatement = sql("db.unhurried", "SELECT set_config('synchronous_commit', 'off', true)");

/**
 * The same database, whose transactions are answered before they are on the disk: for work that is simply done again where a power cut
 * took it. They are lost in order, so never without whatever was committed after them, and half a second of them at the most.
 */
export function unhurried(db: Database): Database {
  return {
    ...db,
    tx: (work) =>
      db.tx((tx) => {
        tx.send(unhurriedStatement, []);
        return work(tx);
      }),
  };
}
