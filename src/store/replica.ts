import { setTimeout as sleep } from "node:timers/promises";
import { atMost } from "../clock.ts";
import type { Instant } from "../domain/calendar.ts";
import { CallDeadline } from "./driver/call-deadline.ts";
import { sql, type Read, type Statement } from "./driver/db.ts";
import { sqlState } from "./driver/failures.ts";
import { FOR_REPLICA } from "./driver/limits.ts";
import { openRead } from "./driver/reads.ts";
import type { Route } from "./driver/route.ts";

/** Older rows are read from the primary instead (docs/decisions/0103-reads-from-a-replica.md). */
export const MOST_AGE_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 500;
const CLOSE_MILLISECONDS = 2_000;

/**
 * Where a server is in PostgreSQL's log, in bytes since its beginning, and of which database. `startedAt`: the start of
 * a server that is no replica; null: a replica.
 */
type Position = {
  installation: string;
  timeline: number | null;
  database: string;
  system: string | null;
  bytes: number;
  startedAt: Instant | null;
};

const positionOf = (system: string) =>
  `SELECT i.id AS installation, i.timeline, d.oid::text AS database, ${system} AS system,
     (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END
       - '0/0'::pg_lsn)::bigint AS bytes,
     CASE WHEN NOT pg_is_in_recovery() THEN pg_postmaster_start_time() END AS "startedAt"
   FROM installation i, pg_database d WHERE i.one AND d.datname = current_database()`;
const positionStatement = sql(
  "replica.position",
  positionOf("(SELECT system_identifier::text FROM pg_control_system())"),
);
const withoutSystemStatement = sql("replica.position_without_system", positionOf("NULL::text"));

/** Some servers lack `pg_control_system`, or forbid the call. */
const NOT_SHOWN = /^(0A|42501|42883)/;
/** No such table or column. */
const OTHER_SCHEMA = /^42(P01|703)$/;

/** Null: the database has no installation of this version. */
async function readPosition(db: Read, statement = positionStatement): Promise<Position | null> {
  try {
    return (await db.query<Position>(statement))[0] ?? null;
  } catch (error) {
    const state = sqlState(error) ?? "";
    if (OTHER_SCHEMA.test(state)) return null;
    if (statement !== positionStatement || !NOT_SHOWN.test(state)) throw error;
    return readPosition(db, withoutSystemStatement);
  }
}

/** Why a server is no replica of the primary. `promoted`: it takes writes of its own, or follows another primary. */
type Mismatch = "other installation" | "promoted";

/** Null: the server is a replica of the primary, or the primary itself. */
function mismatchOf(primary: Position, other: Position | null): Mismatch | null {
  const isSame = (["installation", "database", "system"] as const).every((name) => other?.[name] === primary[name]);
  if (!other || !isSame) return "other installation";
  const isPrimary = other.startedAt === primary.startedAt;
  return (other.startedAt !== null && !isPrimary) || other.timeline !== primary.timeline ? "promoted" : null;
}

/** The primary's position. Each commit that was answered before `at`, of `performance.now()`, is below the position. */
type Sample = { at: number; position: Position };

function openOne(route: Route): ReturnType<typeof openRead> {
  const limits = { ...FOR_REPLICA, reads: 1 };
  return openRead(route, limits, new CallDeadline(route, limits));
}

/** One connection to a replica. Behind one address there may be several replicas, so each connection has its own age. */
class Lane {
  readonly #route: Route;
  #read: ReturnType<typeof openRead>;
  #openings: number | null = null;
  #currentAt: number | null = null;

  constructor(route: Route) {
    this.#route = route;
    this.#read = openOne(route);
  }

  /** Over a pooler that lends its sessions, each read may have another one: then the operator names one replica. */
  get #opened(): number {
    return this.#route.pooling === "transaction" ? 0 : this.#read.openings();
  }

  /**
   * The replica has every commit before this instant of `performance.now()`. Null: the replica is not used, because it
   * is too old, is lost, or has not been looked at over this connection.
   */
  get currentAt(): number | null {
    if (this.#currentAt === null || this.#opened !== this.#openings) return null;
    return performance.now() - this.#currentAt > MOST_AGE_MILLISECONDS ? null : this.#currentAt;
  }

  /** Compares the replica with the primary. `samples`: newest first. @throws what a read throws */
  async look(samples: readonly Sample[]): Promise<Mismatch | null> {
    const { position, openings } = await this.#position();
    if (this.#route.needs === "replica" && typeof position?.startedAt === "number") return this.#leavePromoted();
    const mismatch = samples[0] ? mismatchOf(samples[0].position, position) : null;
    const reached = samples.find((sample) => position !== null && sample.position.bytes <= position.bytes);
    this.#openings = openings;
    this.#currentAt = mismatch === null ? (reached?.at ?? null) : null;
    return mismatch;
  }

  /** The position over one connection, and the number of connections up to this one. */
  async #position(): Promise<{ position: Position | null; openings: number }> {
    for (;;) {
      const openings = this.#opened;
      const position = await readPosition(this.#read);
      if (openings === this.#opened) return { position, openings };
    }
  }

  /** The number of the connection, of those that were opened one after the other. */
  get connection(): number | null {
    return this.#openings;
  }

  /** @throws Error if another connection than this one has answered */
  async query<Row>(connection: number | null, statement: Statement, values: unknown[]): Promise<Row[]> {
    const rows = await this.#read.query<Row>(statement, values);
    if (this.#opened !== connection) throw new Error("the replica was connected anew");
    return rows;
  }

  /** Uses the replica no more until the next look. */
  leave(): void {
    this.#currentAt = null;
  }

  /** A promotion breaks no connection. The next connection finds another host that is a replica. */
  #leavePromoted(): Mismatch {
    this.leave();
    void this.#read.end().catch(() => undefined);
    this.#read = openOne(this.#route);
    return "promoted";
  }

  end(): Promise<void> {
    return this.#read.end();
  }
}

/** The reason that a replica is not used. `error`: the last failure. */
export type Unused = { reason: Mismatch | "lags" | "does not answer"; error?: unknown };

/**
 * Reads of one request, all over one connection to the replica. Once a read has gone to the primary, all later ones do.
 * So no later read is older.
 */
export type StaleRead = Read & {
  /** Milliseconds since the oldest state that was read; null: no row came from the replica. */
  age(): number | null;
};

/**
 * Reads from a replica that is compared with the primary twice a second. A read goes to the primary if the replica is
 * more than `MOST_AGE_MILLISECONDS` old, or fails in any way.
 */
export class Replica {
  /** The number of reads that the primary answered in place of the replica. */
  fallbacks = 0;
  readonly #primary: Read;
  readonly #lanes: readonly Lane[];
  readonly #onChange: (unused: Unused | null) => void;
  #samples: Sample[] = [];
  #unused: Unused | null = null;
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void>;
  #isEnded = false;

  /** `onChange`: is told when the replica is no longer used, and when it is used again (null). */
  constructor(route: Route, primary: Read, onChange: (unused: Unused | null) => void) {
    this.#primary = primary;
    this.#onChange = onChange;
    this.#lanes = Array.from({ length: FOR_REPLICA.reads }, () => new Lane(route));
    this.#looking = this.#look();
  }

  /** Milliseconds: the age of the oldest connection in use; null: the replica is not used. */
  age(): number | null {
    const [first, ...others] = this.#lanes.flatMap(({ currentAt }) => currentAt ?? []);
    return first === undefined ? null : performance.now() - Math.min(first, ...others);
  }

  /** `mayBeStale`: false sends all reads to the primary. Is called once at most, before the first read. */
  reads(mayBeStale: () => Promise<boolean> | boolean): StaleRead {
    let oldest: number | null = null;
    let usesReplica: Promise<boolean> | null = null;
    let used: { lane: Lane; connection: number | null } | null = null;
    const ask = async <Row>(statement: Statement, values: unknown[]): Promise<Row[] | null> => {
      used ??= this.#nextLane();
      const currentAt = used?.lane.currentAt ?? null;
      if (used === null || currentAt === null) return null;
      const { lane, connection } = used;
      try {
        const rows = await lane.query<Row>(connection, statement, values);
        oldest = Math.min(oldest ?? currentAt, currentAt);
        return rows;
      } catch {
        lane.leave();
        return null;
      }
    };
    const decide = async () => {
      // The question may cost a read.
      if (this.age() !== null) return mayBeStale();
      this.fallbacks += 1;
      return false;
    };
    return {
      kind: "read",
      age: () => oldest && performance.now() - oldest,
      query: async <Row>(statement: Statement, values: unknown[] = []) => {
        usesReplica ??= decide();
        if (!(await usesReplica)) return this.#primary.query<Row>(statement, values);
        const rows = await ask<Row>(statement, values);
        if (rows !== null) return rows;
        this.fallbacks += 1;
        usesReplica = Promise.resolve(false);
        return this.#primary.query<Row>(statement, values);
      },
    };
  }

  /** Why the replica is not used; null: it is used. Waits while the replica may still catch up. */
  async whyUnused(): Promise<Unused | null> {
    const end = performance.now() + MOST_AGE_MILLISECONDS;
    await this.#looking;
    while (this.#unused?.reason === "lags" && performance.now() < end) await sleep(LOOK_MILLISECONDS);
    return this.#unused;
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    if (this.#timer) clearTimeout(this.#timer);
    // A frozen replica never answers the close.
    await atMost(CLOSE_MILLISECONDS, Promise.all(this.#lanes.map((lane) => lane.end())));
  }

  /** In turns, so that each connection has its part of the requests. Null: no connection is usable. */
  #nextLane(): { lane: Lane; connection: number | null } | null {
    const usable = this.#lanes.filter(({ currentAt }) => currentAt !== null);
    const lane = usable[this.#turn++ % usable.length];
    return lane ? { lane, connection: lane.connection } : null;
  }

  async #look(): Promise<void> {
    await this.#sample();
    if (this.#isEnded) return;
    const looks = await Promise.allSettled(this.#lanes.map((lane) => lane.look(this.#samples)));
    this.#tell(looks);
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => (this.#looking = this.#look()), LOOK_MILLISECONDS).unref();
  }

  /** Notes where the primary is. Another primary, after a failover, is a new beginning. */
  async #sample(): Promise<void> {
    const at = performance.now();
    const position = await readPosition(this.#primary).catch(() => null);
    if (position === null) return;
    const isSame = this.#samples[0]?.position.startedAt === position.startedAt;
    const kept = isSame ? this.#samples.filter((sample) => at - sample.at < MOST_AGE_MILLISECONDS) : [];
    this.#samples = [{ at, position }, ...kept];
  }

  #tell(looks: readonly PromiseSettledResult<Mismatch | null>[]): void {
    const failed = looks.find((look) => look.status === "rejected");
    for (const [n, look] of looks.entries()) if (look.status === "rejected") this.#lanes[n]!.leave();
    const mismatch = looks.flatMap((look) => (look.status === "fulfilled" ? (look.value ?? []) : []))[0];
    const reason = mismatch ?? (failed ? "does not answer" : "lags");
    const unused: Unused | null = this.age() === null ? { reason, error: failed?.reason } : null;
    const isKnown = unused?.reason === this.#unused?.reason;
    this.#unused = unused;
    if (!isKnown && !this.#isEnded) this.#onChange(unused);
  }
}
