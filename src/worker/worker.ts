import { noteTime, reportHeld } from "../actions/organization/catch-up.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Queue } from "../store/bell.ts";
import { countGrownTables } from "../store/statistics.ts";
import { deliverOnce, startDeliverer } from "./deliverer.ts";
import { startLoop } from "./loop.ts";
import { startMailer } from "./mailer.ts";
import { SWEEPS, type Item, type Sweep } from "./schedule.ts";
import { LOOK_MILLISECONDS, startWatch } from "./watch.ts";

/** Side by side in one process; more only queue for the database's connections. */
const CONCURRENCY = 8;
/** An item that failed is left alone for so long, so that it can't keep the others waiting. */
const PENALTY_MILLISECONDS = 30_000;
const NOTE_MILLISECONDS = 30_000;
const REPORT_MILLISECONDS = 60_000;
/** PostgreSQL itself looks once a minute which tables have grown. */
const STATISTICS_MILLISECONDS = 5_000;

type Penalties = Map<string, number>;

async function runItem(ctx: Context, sweep: Sweep, item: Item, penalties: Penalties): Promise<number> {
  const nameOf = (key: string) => `${sweep.name}:${key}`;
  if ((penalties.get(nameOf(item.key)) ?? 0) > performance.now()) return 0;
  penalties.delete(nameOf(item.key));
  const fail = (key: string, error: unknown) => {
    const isUnavailable = error instanceof AppError && error.code === "unavailable";
    // Much is due on a Customer (rule T5): an advance or the next round does it first.
    if (isUnavailable && error.cause === undefined) return;
    // A database that is gone for a moment is no fault of the item.
    if (!isUnavailable) penalties.set(nameOf(key), performance.now() + PENALTY_MILLISECONDS);
    ctx.log.error({ err: error, sweep: sweep.name, key }, "due work failed");
  };
  try {
    return await item.run(fail);
  } catch (error) {
    fail(item.key, error);
    return 0;
  }
}

/** Keys of the items of a sweep that are left alone at this moment. */
function failedOf(sweep: Sweep, penalties: Penalties): string[] {
  const prefix = `${sweep.name}:`;
  const alone = [...penalties].filter(([key, until]) => key.startsWith(prefix) && until > performance.now());
  return alone.map(([key]) => key.slice(prefix.length));
}

/** What is due goes through a few hands; several workers start at different places, so that they seldom want the same row. */
async function runSweep(ctx: Context, sweep: Sweep, penalties: Penalties, stopped: () => boolean): Promise<number> {
  const items = await sweep.find(ctx, failedOf(sweep, penalties));
  const start = Math.floor(Math.random() * items.length);
  const queue = [...items.slice(start), ...items.slice(0, start)];
  let done = 0;
  const hand = async () => {
    for (let item = queue.shift(); item && !stopped(); item = queue.shift()) {
      // Not in one line: what other hands have done meanwhile would not be counted.
      const some = await runItem(ctx, sweep, item, penalties);
      done += some;
    }
  };
  await Promise.all(Array.from({ length: Math.min(sweep.hands ?? CONCURRENCY, queue.length) }, hand));
  return done;
}

/** Goes through all sweeps, and sends, until nothing more is due on real time. */
export async function runOnce(ctx: Context): Promise<void> {
  const penalties: Penalties = new Map();
  const round = async () => {
    let done = 0;
    await noteTime(ctx);
    for (const sweep of SWEEPS) done += await runSweep(ctx, sweep, penalties, () => false);
    return done;
  };
  // What comes of a delivery may be told itself.
  do {
    while ((await round()) > 0);
  } while ((await deliverOnce(ctx)) > 0);
}

const QUEUES = SWEEPS.flatMap((sweep): Queue[] => (sweep.interval === undefined ? [sweep.name] : []));

/** The sweeps that are to come round: those whose queue was rung for, and those whose interval has passed. */
class Rounds {
  readonly #ctx: Context;
  readonly #penalties: Penalties = new Map();
  readonly #told = new Map<string, number>();
  /** To begin with all: the report of a first turn tells of what that turn has found to be held. */
  #rung = new Set<string>(QUEUES);
  /** When what comes round by an interval does so next, of `performance.now()`. */
  readonly #next = new Map<string, number>();
  stopping = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  ring(queue: Queue): void {
    this.#rung.add(queue);
  }

  /** Whether its interval has passed; from here on it passes anew. */
  #comesRound(name: string, interval: number): boolean {
    if (performance.now() < (this.#next.get(name) ?? 0)) return false;
    this.#next.set(name, performance.now() + interval);
    return true;
  }

  /** Where something was done there may be more. */
  #again({ name, interval }: Sweep): void {
    if (interval === undefined) this.#rung.add(name);
    else this.#next.set(name, 0);
  }

  /** Answers in how many milliseconds the next one is wanted, unless somebody rings before. */
  async turn(): Promise<number> {
    // Whoever rings from here on is for the next turn: nothing is carried out before the time is noted.
    const rung = this.#rung;
    this.#rung = new Set();
    if (this.#comesRound("noting", NOTE_MILLISECONDS) || rung.size > 0) await noteTime(this.#ctx);
    let done = 0;
    for (const sweep of SWEEPS) {
      if (this.stopping) return 0;
      const { name, interval } = sweep;
      if (interval === undefined ? !rung.has(name) : !this.#comesRound(name, interval)) continue;
      const some = await runSweep(this.#ctx, sweep, this.#penalties, () => this.stopping);
      if (some > 0) this.#again(sweep);
      done += some;
    }
    if (this.#comesRound("counting", STATISTICS_MILLISECONDS)) await countGrownTables(this.#ctx.db);
    if (this.#comesRound("reporting", REPORT_MILLISECONDS)) await reportHeld(this.#ctx, this.#told);
    return done > 0 ? 0 : Math.min(...this.#next.values()) - performance.now();
  }
}

/**
 * Does what is due, from now on until it is stopped; what is in hand is finished first. Any number may run side by side. `deliveries`: the
 * same world over the connections of webhooks and e-mail. `look`: how long what another process wrote may wait, in milliseconds.
 */
export function startWorker(ctx: Context, deliveries = ctx, look?: number): { stop(): Promise<void> } {
  const rounds = new Rounds(ctx);
  const failed = (error: unknown) => {
    ctx.log.error({ err: error }, "the worker can't ask the database");
    return LOOK_MILLISECONDS;
  };
  const working = startLoop(() => rounds.turn().catch(failed));
  const deaf = ctx.db.bell.listen(QUEUES, (queue) => {
    rounds.ring(queue);
    working.wake();
  });
  const deliverer = startDeliverer(deliveries);
  const mailer = startMailer(deliveries);
  const watch = startWatch(deliveries, look);
  return {
    async stop() {
      rounds.stopping = true;
      deaf();
      await Promise.all([watch.stop(), working.stop(), deliverer.stop(), mailer.stop()]);
    },
  };
}
