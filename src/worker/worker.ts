import { noteTime, reportHeld } from "../actions/catch-up.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { countGrownTables } from "../store/statistics.ts";
import { deliverOnce, startDeliverer } from "./deliverer.ts";
import { startMailer } from "./mailer.ts";
import { SWEEPS, type Item, type Sweep } from "./schedule.ts";

/** How long a due row waits at most when nothing else is due. */
const POLL_MILLISECONDS = 250;
/** Side by side in one process; more only queue for the database's connections. */
const CONCURRENCY = 8;
/** An item that failed is left alone for so long, so that it can't keep the others waiting. */
const PENALTY_MILLISECONDS = 30_000;
const FORGET_MILLISECONDS = 60_000;
const REPORT_MILLISECONDS = 60_000;
/** PostgreSQL itself looks once a minute which tables have grown. */
const STATISTICS_MILLISECONDS = 5_000;

type Penalties = Map<string, number>;

async function runItem(ctx: Context, sweep: Sweep, item: Item, penalties: Penalties): Promise<number> {
  const key = `${sweep.name}:${item.key}`;
  if ((penalties.get(key) ?? 0) > performance.now()) return 0;
  penalties.delete(key);
  try {
    return await item.run();
  } catch (error) {
    const isUnavailable = error instanceof AppError && error.code === "unavailable";
    // Much is due on a Customer (rule T5): an advance or the next round does it first.
    if (isUnavailable && error.cause === undefined) return 0;
    // A database that is gone for a moment is nothing the item did.
    const isItsFault = !isUnavailable;
    if (isItsFault) penalties.set(key, performance.now() + PENALTY_MILLISECONDS);
    ctx.log.error({ err: error, sweep: sweep.name, key: item.key }, "due work failed");
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
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, queue.length) }, hand));
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

/**
 * Does what is due, from now on until it is stopped; what is in hand is finished first. Any number may run side by side. `deliveries`: the
 * same world over the connections of webhooks and e-mail.
 */
export function startWorker(ctx: Context, deliveries = ctx): { stop(): Promise<void> } {
  const penalties: Penalties = new Map();
  let stopping = false;
  let wake: () => void = () => undefined;
  let forgetAt = 0;
  let reportAt = 0;
  let countAt = 0;
  const told = new Map<string, number>();

  async function round(): Promise<number> {
    let done = 0;
    await noteTime(ctx);
    for (const sweep of SWEEPS) {
      if (stopping) return 0;
      if (sweep.name === "idempotency") {
        if (performance.now() < forgetAt) continue;
        forgetAt = performance.now() + FORGET_MILLISECONDS;
      }
      const some = await runSweep(ctx, sweep, penalties, () => stopping);
      // A full batch: there is more to forget.
      if (sweep.name === "idempotency" && some > 0) forgetAt = 0;
      done += some;
    }
    if (performance.now() >= countAt) {
      countAt = performance.now() + STATISTICS_MILLISECONDS;
      await countGrownTables(ctx.db);
    }
    if (performance.now() >= reportAt) {
      reportAt = performance.now() + REPORT_MILLISECONDS;
      await reportHeld(ctx, told);
    }
    return done;
  }

  async function work(): Promise<void> {
    while (!stopping) {
      const done = await round().catch((error: unknown) => {
        ctx.log.error({ err: error }, "the worker can't ask the database");
        return 0;
      });
      if (done > 0 || stopping) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, POLL_MILLISECONDS);
      });
    }
  }

  const working = work();
  const deliverer = startDeliverer(deliveries);
  const mailer = startMailer(deliveries);
  return {
    async stop() {
      stopping = true;
      wake();
      await Promise.all([working, deliverer.stop(), mailer.stop()]);
    },
  };
}
