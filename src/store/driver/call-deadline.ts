import pg from "pg";
import { CallTimeout } from "./failures.ts";
import type { Limits } from "./limits.ts";
import type { Route } from "./route.ts";

/** After a call without an answer, and until the next answer, other calls wait no longer than this. */
const SILENT_MILLISECONDS = 1_000;
/**
 * A call with a limit above 8 s checks every 5 s whether PostgreSQL answers. The check opens a new connection and waits
 * up to 3 s.
 */
const PING_MILLISECONDS = 5_000;
const PING_LIMIT_MILLISECONDS = 3_000;

/** Whether PostgreSQL answers a new connection. An error of the server is an answer. */
async function ping(route: Route): Promise<boolean> {
  const limit = PING_LIMIT_MILLISECONDS;
  const client = new pg.Client({ ...route.config, connectionTimeoutMillis: limit, query_timeout: limit });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    client.end().catch(() => undefined);
  }
}

/**
 * Decides how long the calls of one handle wait for the database: up to the handle's limits, or 1 s while the database
 * is silent.
 */
export class CallDeadline {
  readonly limits: Limits;
  /** True after a call without an answer, until the next answer. */
  silent = false;
  readonly #route: Route;
  #pinging: Promise<boolean> | null = null;

  constructor(route: Route, limits: Limits) {
    this.#route = route;
    this.limits = limits;
  }

  /** Whether PostgreSQL answers. Calls that ask at the same time share one check. */
  ping(): Promise<boolean> {
    return (this.#pinging ??= ping(this.#route).finally(() => (this.#pinging = null)));
  }
}

/** Watches how long one call waits for the database. Must be ended after the call, even if the call failed. */
export class Watchdog {
  isLost = false;
  readonly #deadline: CallDeadline;
  readonly #onLost: (timeout: CallTimeout) => void;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #pinging: NodeJS.Timeout | undefined;
  #isOver = false;

  /**
   * Calls `onLost` once the call has waited long enough. `milliseconds`: with `Infinity` the call waits as long as
   * PostgreSQL answers other calls.
   */
  constructor(
    deadline: CallDeadline,
    onLost: (timeout: CallTimeout) => void,
    milliseconds = deadline.limits.milliseconds,
  ) {
    this.#deadline = deadline;
    this.#onLost = onLost;
    const limit = deadline.silent ? Math.min(SILENT_MILLISECONDS, milliseconds) : milliseconds;
    if (limit !== Infinity) this.#timer = setTimeout(() => this.#giveUp(), limit);
    if (limit > PING_MILLISECONDS + PING_LIMIT_MILLISECONDS)
      this.#pinging = setInterval(() => void this.#ask(), PING_MILLISECONDS);
  }

  async #ask(): Promise<void> {
    if (!(await this.#deadline.ping())) this.#giveUp();
  }

  #giveUp(): void {
    if (this.#isOver) return;
    this.end();
    this.isLost = true;
    this.#deadline.silent = true;
    this.#onLost(new CallTimeout(Math.round(performance.now() - this.#began)));
  }

  /** The server has answered a statement of the call. */
  heard(): void {
    this.#deadline.silent = false;
    if (this.#deadline.limits.per === "statement") this.#timer?.refresh();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pinging);
  }
}
