import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Needed } from "../../database-address.ts";
import { NotAsNeeded, NotConnected } from "./failures.ts";
import { greetedBy, socketOf } from "./internals.ts";
import { hasOwnSession } from "./kept-session.ts";
import type { Limits } from "./limits.ts";
import type { Route, Way } from "./route.ts";
import { toInstant } from "./stamp.ts";
import type { Statement } from "./statement.ts";

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
 * The settings of every statement. A role, a database or a server may bring others, which would change the meaning of
 * our statements, their rows or their cost. `store/driver/server.ts` refuses the settings that a session can't change.
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
  exit_on_error: "off",
  client_min_messages: "warning",
};

/** The settings of a session between its transactions. A pooler that lends its sessions has its own. */
const BETWEEN_TRANSACTIONS: Readonly<Record<string, string>> = {
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  idle_session_timeout: "0",
  // If this process loses its connection without a close, the server ends the session and releases its locks: within a
  // transaction after `idleMilliseconds`, otherwise within 25 s by these four. They have no effect on a unix socket.
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "25000",
};

/**
 * The settings on a distributed database. A statement over several shards asks the shards of a node one after the other
 * over one connection. Otherwise Citus opens another one, for this statement alone, if a task takes longer than 10 ms.
 */
const ON_CLUSTER: Values = { "citus.max_adaptive_executor_pool_size": 1 };

type Values = Readonly<Record<string, string | number>>;

const LOCAL = true;

/** An expression that sets the settings of a session, or only those of the current transaction. */
function settingOf(all: Values, isLocal = false): string {
  const set = (name: string, value: string) => `set_config('${name}', ${value}, ${isLocal})`;
  return `concat(${[
    ...Object.entries(all).map(([name, value]) => set(name, `'${value}'`)),
    // An acknowledged write is on the disk, and on the replicas that the server waits for. The other levels wait for
    // as much (remote_write, on) or for more (remote_apply).
    `CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
       THEN ${set("synchronous_commit", "'on'")} END`,
    // Since PostgreSQL 17.
    `CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL THEN ${set("transaction_timeout", "'0'")} END`,
  ].join(", ")})`;
}

const limitsOf = ({ statementMilliseconds, lockMilliseconds, idleMilliseconds }: Limits): Values => ({
  statement_timeout: statementMilliseconds,
  lock_timeout: lockMilliseconds,
  idle_in_transaction_session_timeout: idleMilliseconds,
});

/**
 * How statements are sent over sessions that a pooler lends for one transaction. `settings` is the first statement of
 * each transaction, and has no row. `hasNames`: the pooler prepares named statements in each session.
 */
export type Lent = { settings: Statement; hasNames: boolean };

type Cluster = { distributed: boolean; coordinator: string | null };
// Each role may read these tables of Citus. The coordinator's group has the number 0.
const CLUSTER = `SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE partmethod = 'h') AS distributed,
    (SELECT format('%s:%s', n.nodename, n.nodeport) FROM pg_catalog.pg_dist_node n, pg_catalog.pg_dist_local_group g
      WHERE n.groupid = 0 AND n.noderole = 'primary' AND g.groupid <> 0) AS coordinator`;

/** Sets the settings until the end of the transaction, and has no row. */
const localSettings = (all: Values) => `SELECT WHERE ${settingOf(all, LOCAL)} IS NULL`;

function lentBy(limits: Limits, hasNames: boolean, { isReadOnly, isDistributed }: Route): Lent {
  const more = { ...(isReadOnly && { transaction_read_only: "on" }), ...(isDistributed && ON_CLUSTER) };
  const text = localSettings({ ...SETTINGS, ...limitsOf(limits), ...more });
  return { settings: { name: "session.settings", text }, hasNames };
}

/**
 * Sets the settings of a transaction with these limits that may wait as long for a reader of its rows. The kernel
 * would take a reader that pauses for a lost one.
 */
export const settingsOfBulk = (limits: Limits): string =>
  localSettings({ ...SETTINGS, ...limitsOf(limits), tcp_user_timeout: 0 });

type Config = pg.ClientConfig & { route: Route; limits: Limits; connectionTimeoutMillis: number };

/**
 * A connection by the route's present way, with our settings. A failure to connect is a `NotConnected`, and makes the
 * route try its next way.
 */
export class Session extends pg.Client {
  /** Null: the session belongs to this connection, and has our settings. */
  lent: Lent | null = null;
  readonly #config: Config;
  readonly #way: Way;

  constructor(config: Config) {
    super({ ...config, ...config.route.config });
    this.#config = config;
    this.#way = config.route.way;
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
    const { route, connectionTimeoutMillis } = this.#config;
    const giveUp = () => socketOf(this).destroy(new Error("timeout expired"));
    const timer = setTimeout(giveUp, connectionTimeoutMillis);
    try {
      await super.connect();
      if (route.needs) await this.#require(route.needs);
      await this.#set();
    } catch (error) {
      socketOf(this).destroy();
      route.missed(this.#way, error);
      throw new NotConnected(error);
    } finally {
      clearTimeout(timer);
    }
    return this;
  }

  async #require(needed: Needed): Promise<void> {
    const { rows } = await this.query<{ writes: boolean; replica: boolean }>(
      "SELECT current_setting('transaction_read_only') = 'off' AS writes, pg_is_in_recovery() AS replica",
    );
    if (!rows[0]![needed]) throw new NotAsNeeded(String(this.#way.host), needed);
  }

  /**
   * Sets the settings of the session, unless a pooler lends the session: they would stay in it for other programs. Some
   * poolers refuse settings in the startup message, so a statement sets them. The same statement looks for Citus, so
   * that only a server with Citus is asked once more.
   */
  async #set(): Promise<void> {
    const { route, limits } = this.#config;
    const greeted = greetedBy(this) ?? 0;
    const readOnly = { ...(route.isReadOnly && { default_transaction_read_only: "on" }) };
    const setting = settingOf({ ...SETTINGS, ...BETWEEN_TRANSACTIONS, ...limitsOf(limits), ...readOnly });
    const isOwn = route.keepsSessions && (await this.#hasOwnSession());
    const condition = isOwn ? "true" : `pg_backend_pid() = ${greeted}`;
    const { rows } = await this.query<{ backend: number; set: string | null; citus: boolean }>(
      `SELECT pg_backend_pid() AS backend, CASE WHEN ${condition} THEN ${setting} END AS set,
         to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS citus`,
    );
    const { backend, set, citus } = rows[0]!;
    const cluster = citus ? (await this.query<Cluster>(CLUSTER)).rows[0] : undefined;
    route.isDistributed = cluster?.distributed ?? false;
    route.coordinator = cluster?.coordinator ?? null;
    if (set !== null && route.isDistributed) await this.query(`SELECT ${settingOf(ON_CLUSTER)}`);
    const usesNames = async () => !route.hasStaleNames && (await this.#preparesNames());
    this.lent = set !== null ? null : lentBy(limits, await usesNames(), route);
    if (this.lent) route.pooling = route.keepsSessions ? "broken promise" : "transaction";
    else route.pooling = backend === greeted ? "none" : "session";
  }

  /** Whether the promise of the route is true. The first connection by a way finds out for all. */
  #hasOwnSession(): Promise<boolean> {
    const { route } = this.#config;
    const known = route.ownSessions.get(this.#way);
    if (known) return known;
    const found = hasOwnSession(this, { ...route.login, ...this.#way });
    route.ownSessions.set(this.#way, found);
    found.catch(() => route.ownSessions.delete(this.#way));
    return found;
  }

  /**
   * Whether the pooler prepares named statements in each session that it lends. Such a pooler gives them names of its
   * own. Otherwise the statement of this question stays in a session, unless it is dropped there.
   */
  async #preparesNames(): Promise<boolean> {
    const name = `billow_${randomUUID()}`;
    const text = "SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS kept";
    const [, { rows }] = await Promise.all([
      this.query("BEGIN"),
      this.query<{ kept: boolean }>({ name, text, values: [name] }),
    ]);
    if (rows[0]!.kept) await this.query(`DEALLOCATE "${name}"`);
    await this.query("COMMIT");
    return !rows[0]!.kept;
  }
}

/** The configuration of a connection. Keepalives detect within 20 s that the server of an idle connection is gone. */
export function sessionConfig(route: Route, limits: Limits): Config & { pipeline: true } {
  return {
    ...route.login,
    route,
    limits,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: Math.min(5_000, limits.milliseconds),
    pipeline: true,
  };
}
