import pg from "pg";
import { NotConnected, NotWritable } from "./failures.ts";
import { socketOf } from "./internals.ts";
import type { Limits } from "./limits.ts";
import type { Route, Way } from "./route.ts";
import { toInstant } from "./stamp.ts";

const types = new pg.TypeOverrides();
const INT8 = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;

/** Reads int8 and numeric, which `pg` hands over as text. A value that is not a safe integer is an error. */
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, which is not a safe integer`);
  return value;
}

types.setTypeParser(INT8, toSafeInteger);
types.setTypeParser(NUMERIC, toSafeInteger);
types.setTypeParser(TIMESTAMPTZ, toInstant);

/**
 * The settings of every session. A role, a database or a server may bring others, which would change the meaning of our
 * statements, their rows or their cost. `store/driver/server.ts` refuses the settings that a session can't change.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
  array_nulls: "on",
  transform_null_equals: "off",
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  // With this, a policy that would hide rows is an error.
  row_security: "off",
  // A limit would hide rows that a search finds.
  gin_fuzzy_search_limit: "0",
  // The statements are short and their plans are kept. PostgreSQL 15 to 17 would compile such a plan at each call, for
  // up to a second, if its cost is estimated high.
  jit: "off",
  // The ways that `accounts.settings` leaves to PostgreSQL.
  enable_indexscan: "on",
  enable_bitmapscan: "on",
  enable_nestloop: "on",
  idle_session_timeout: "0",
  exit_on_error: "off",
  client_min_messages: "warning",
  // If this process loses its connection without a close, the server ends the session and releases its locks: within a
  // transaction after `idleMilliseconds`, otherwise within 25 s by these four. They have no effect on a unix socket.
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "25000",
};

/**
 * The statement that sets them. Some poolers refuse settings in the startup message, so a statement sets them. It is
 * sent before the first statement of the session and not waited for.
 */
function settingsOf({ statementMilliseconds, lockMilliseconds, idleMilliseconds }: Limits): string {
  const settings = {
    ...SETTINGS,
    statement_timeout: statementMilliseconds,
    lock_timeout: lockMilliseconds,
    idle_in_transaction_session_timeout: idleMilliseconds,
  };
  const set = (name: string, value: string) => `set_config('${name}', ${value}, false)`;
  return `SELECT ${[
    ...Object.entries(settings).map(([name, value]) => set(name, `'${value}'`)),
    // An acknowledged write is on the disk, and on the replicas that the server waits for. The other levels wait for
    // as much (remote_write, on) or for more (remote_apply).
    `CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
       THEN ${set("synchronous_commit", "'on'")} END`,
    // Since PostgreSQL 17.
    `CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL THEN ${set("transaction_timeout", "'0'")} END`,
  ].join(", ")}`;
}

type Config = pg.ClientConfig & { route: Route; settings: string };

/**
 * A connection by the route's present way, with our settings. A failure to connect is a `NotConnected`, and makes the
 * route try its next way.
 */
export class Session extends pg.Client {
  readonly #route: Route;
  readonly #way: Way;
  readonly #settings: string;

  constructor(config: Config) {
    super({ ...config, ...config.route.config });
    this.#route = config.route;
    this.#way = config.route.way;
    this.#settings = config.settings;
    // If a connection breaks, its queries fail. Without this listener the error would also end the process.
    this.on("error", () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const opened = this.#open();
    if (!callback) return opened;
    // The pool calls back with an error or with none.
    opened.then(() => callback(undefined as unknown as Error), callback);
  }

  async #open(): Promise<pg.Client> {
    try {
      await super.connect();
      if (this.#route.needsWrites) await this.#requireWrites();
    } catch (error) {
      socketOf(this).destroy();
      this.#route.missed(this.#way, error);
      throw new NotConnected(error);
    }
    this.query(this.#settings).catch((error: Error) => socketOf(this).destroy(error));
    return this;
  }

  async #requireWrites(): Promise<void> {
    const { rows } = await this.query<{ transaction_read_only: string }>("SHOW transaction_read_only");
    if (rows[0]?.transaction_read_only === "on") throw new NotWritable(String(this.#way.host));
  }
}

/** The configuration of a connection. Keepalives detect within 20 s that the server of an idle connection is gone. */
export function sessionConfig(route: Route, limits: Limits): Config & { pipeline: true } {
  return {
    ...route.login,
    route,
    settings: settingsOf(limits),
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: Math.min(5_000, limits.milliseconds),
    pipeline: true,
  };
}
