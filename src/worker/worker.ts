/**
 * The worker carries out all work that is due later than the request that caused it: renewals, retries, expiries, and
 * status queries to a payment provider. Billow has no job queue for this work. Each waiting row stores the instant at
 * which it is due, under a partial index, and the work sets the next instant or clears it. A crash leaves the row due,
 * so the work is found again. Decision 0004 (docs/decisions) gives the reasons.
 *
 * The loop. One loop takes turns, and a turn goes through the sweeps of schedule.ts in the order of rule T4. Each sweep
 * empties one queue: payments, refunds, Subscriptions, Checkouts, edits of Products and of Benefits, skipped webhook
 * deliveries, repeated webhook deliveries, sign-ins to the portal, advances of sandbox clocks, and fillings of
 * sandboxes with a company. The last two sweeps have no queue: they delete old events and other old
 * rows once a minute. A turn runs a sweep only if
 * the notifier has woken its queue, or if the sweep's interval has passed. If a sweep has done something, the next turn
 * follows at once and runs the sweep again.
 *
 * Before a turn empties a queue, it records the current time. If more than 24 hours have passed since the recorded
 * time, because the clock jumped or no worker ran, live Organizations hold back overdue Subscriptions until an operator
 * approves (rule T4).
 *
 * Concurrency and batches. A sweep finds due rows with one statement and makes a list of items. Eight items are under
 * way at the same time. When one ends, the next item of the list begins. Payments and Subscriptions come in batches
 * instead: the statement finds up to 1,000 rows, the sweep cuts them into batches of 100, and two batches are under way
 * at the same time. A batch of Subscriptions is one transaction for all of its Customers. A batch of payments calls the
 * provider for all of them at the same time, and settles the outcomes in groups. On a distributed database each batch
 * is of one Organization, and eight batches are under way at the same time (decision 0105).
 *
 * Sleep. After a turn without work the loop sleeps until the notifier wakes it, or until the next interval has passed;
 * the shortest interval, for PostgreSQL's statistics, is five seconds. The notifier wakes a queue for two reasons.
 * First, a transaction names the queues that it fills. After the COMMIT, the notifier wakes these queues in the same
 * process, unless the row is due later than in a second. Second, the poller wakes it. The poller is a loop of its own
 * that asks with one statement for the first due instant of every queue, and wakes each queue that is due. After each
 * statement the poller sleeps until the next due instant, or for 250 ms at most. So the worker learns of a row of its
 * own process within milliseconds of the COMMIT, and of a row of another process within 250 ms. A cluster is asked
 * every 750 ms after ten seconds without a due row (decision 0107). Two turns that the notifier started begin at least
 * 5 ms apart, so a burst of small transactions costs few turns. Decision 0028 gives the reasons.
 *
 * Fairness between Organizations. The statement finds the 1,000 rows that have waited longest, and orders them so that
 * the batches take a row from each Organization in turn. Edits of Products and Benefits come from each Organization in
 * turn as well. An edit and an advance both stop after about a second and continue in a later turn, so that the other
 * sweeps get their turn.
 *
 * Many workers. Any number of workers may run side by side. Each worker starts at a random position in its list, so
 * that two workers seldom want the same row. If two workers want the same row, the lock decides: a Customer that
 * another transaction has locked is left to that transaction, and a lease lets only one worker at a time call the
 * provider for a payment or a refund. Webhooks and e-mail have loops and connections of their own (deliverer.ts,
 * mailer.ts), so a slow receiver or mail server keeps no sweep waiting.
 *
 * Faults. An item that fails is logged, and this process does not try the item for 30 seconds, so that it can't delay
 * other items. In a batch only the failing Customer is left out: if the database refuses the batch, each half runs by
 * itself, and so on down to that Customer. If an item failed because the database is away, the item is tried again as
 * soon as the notifier wakes the queue. If a turn can't even ask the database, the next turn comes after 250 ms. The
 * poller wakes the queues of the lost turn again, since their rows are still due. A worker that is
 * stopped finishes the items that it has begun and takes no others.
 */
import { noteTime, noteTimeIfPossible, reportHeld } from "../actions/organization/catch-up.ts";
import type { Context } from "../context.ts";
import { isUnavailable } from "../errors.ts";
import { readQueueHeads } from "../store/queue-heads.ts";
import { acrossNodes } from "../store/distribution/across-nodes.ts";
import type { Queue } from "../store/driver/notifier.ts";
import { traced } from "../tracing/tracing.ts";
import { countGrownTables } from "../store/driver/statistics.ts";
import { deliverOnce, startDeliverer } from "./deliverer.ts";
import { startLoop } from "./loop.ts";
import { startMailer } from "./mailer.ts";
import { SWEEPS, type Item, type Sweep } from "./schedule.ts";
import { POLL_MILLISECONDS, planPoll, startPoller } from "./poller.ts";

/** The most items at the same time in one process. More items would only wait for database connections. */
const CONCURRENCY = 8;
/** An item that failed is not tried for this long, so that it can't keep other items waiting. */
const PENALTY_MILLISECONDS = 30_000;
const NOTE_MILLISECONDS = 30_000;
const REPORT_MILLISECONDS = 60_000;
/**
 * The interval for the statistics of tables that have grown. PostgreSQL itself looks for such tables only once a
 * minute.
 */
const STATISTICS_MILLISECONDS = 5_000;

type Penalties = Map<string, number>;

async function runItem(ctx: Context, sweep: Sweep, item: Item, penalties: Penalties): Promise<number> {
  const nameOf = (key: string) => `${sweep.name}:${key}`;
  if ((penalties.get(nameOf(item.key)) ?? 0) > performance.now()) return 0;
  penalties.delete(nameOf(item.key));
  const fail = (key: string, error: unknown) => {
    // The Customer has more due items than one transaction may do (rule T5). An advance or the next round does these
    // items first.
    if (isUnavailable(error) && error.cause === undefined) return;
    // A database that is away for a moment is no fault of the item.
    if (!isUnavailable(error)) penalties.set(nameOf(key), performance.now() + PENALTY_MILLISECONDS);
    ctx.log.error({ err: error, sweep: sweep.name, key }, "due work failed");
  };
  try {
    return await traced(
      () => ({
        name: `due work ${sweep.name}`,
        kind: "internal",
        within: "new",
        attributes: { "billow.sweep": sweep.name },
      }),
      () => item.run(fail),
    );
  } catch (error) {
    fail(item.key, error);
    return 0;
  }
}

/** The keys of a sweep that are not tried at this moment because they failed. */
function failedOf(sweep: Sweep, penalties: Penalties): string[] {
  const prefix = `${sweep.name}:`;
  const alone = [...penalties].filter(([key, until]) => key.startsWith(prefix) && until > performance.now());
  return alone.map(([key]) => key.slice(prefix.length));
}

/**
 * Does the due items, several at the same time. Workers start at random positions in the list, so that two workers
 * seldom want the same row.
 */
async function runSweep(ctx: Context, sweep: Sweep, penalties: Penalties, stopped: () => boolean): Promise<number> {
  const items = await sweep.find(ctx, failedOf(sweep, penalties));
  const start = Math.floor(Math.random() * items.length);
  const queue = [...items.slice(start), ...items.slice(0, start)];
  let done = 0;
  const takeItems = async () => {
    for (let item = queue.shift(); item && !stopped(); item = queue.shift()) {
      // `done += await …` would read `done` before the wait, and lose the items that others counted meanwhile.
      const some = await runItem(ctx, sweep, item, penalties);
      done += some;
    }
  };
  await Promise.all(Array.from({ length: Math.min(sweep.concurrency?.(ctx) ?? CONCURRENCY, queue.length) }, takeItems));
  return done;
}

/**
 * Does all work that is due by real time, and sends webhooks, until no more is due. As for the poller, one statement
 * tells which queues have due rows. Otherwise a round would send fifteen statements, and most of them find no row.
 */
export async function runOnce(ctx: Context): Promise<void> {
  const penalties: Penalties = new Map();
  /** The sweeps with an interval that have no more rows. */
  const rested = new Set<string>();
  const round = async () => {
    let done = 0;
    await noteTime(ctx);
    const due = new Set<string>(planPoll(await readQueueHeads(acrossNodes(ctx.db)), 0).due);
    for (const sweep of SWEEPS) {
      const { name, interval } = sweep;
      if (interval === undefined ? !due.has(name) : rested.has(name)) continue;
      const some = await runSweep(ctx, sweep, penalties, () => false);
      if (interval !== undefined && some === 0) rested.add(name);
      done += some;
    }
    return done;
  };
  // A delivery may cause another event.
  do {
    while ((await round()) > 0);
  } while ((await deliverOnce(ctx)) > 0);
}

const QUEUES = SWEEPS.flatMap((sweep): Queue[] => (sweep.interval === undefined ? [sweep.name] : []));

/** Chooses the sweeps of each turn: a sweep runs if the notifier woke its queue, or if its interval has passed. */
class Rounds {
  readonly #ctx: Context;
  readonly #penalties: Penalties = new Map();
  readonly #reportedHeld = new Map<string, number>();
  /**
   * The queues that the notifier woke. The first turn runs all queues, so that its report covers everything that this
   * turn found to be held.
   */
  #woken = new Set<string>(QUEUES);
  /** The next time of each task with an interval, by `performance.now()`. */
  readonly #next = new Map<string, number>();
  /** After a failure the time is not recorded before this instant, by `performance.now()`. */
  #unnoted = 0;
  stopping = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  wake(queue: Queue): void {
    this.#woken.add(queue);
  }

  /** Whether the task's interval has passed. If so, the next interval begins. */
  #comesRound(name: string, interval: number): boolean {
    if (performance.now() < (this.#next.get(name) ?? 0)) return false;
    this.#next.set(name, performance.now() + interval);
    return true;
  }

  /** A sweep that has done something may find more to do. */
  #again({ name, interval }: Sweep): void {
    if (interval === undefined) this.#woken.add(name);
    else this.#next.set(name, 0);
  }

  /** Runs one turn. Returns the milliseconds until the next turn, which comes earlier if the notifier wakes a queue. */
  async turn(): Promise<number> {
    // Calls of the notifier from here on count for the next turn, because a turn must record the time before the work
    // of those queues begins.
    const woken = this.#woken;
    this.#woken = new Set();
    const isToNote = this.#comesRound("noting", NOTE_MILLISECONDS) || woken.size > 0;
    if (isToNote && performance.now() > this.#unnoted && !(await noteTimeIfPossible(this.#ctx)))
      this.#unnoted = performance.now() + NOTE_MILLISECONDS;
    let done = 0;
    for (const sweep of SWEEPS) {
      if (this.stopping) return 0;
      const { name, interval } = sweep;
      if (interval === undefined ? !woken.has(name) : !this.#comesRound(name, interval)) continue;
      const some = await runSweep(this.#ctx, sweep, this.#penalties, () => this.stopping);
      if (some > 0) this.#again(sweep);
      done += some;
    }
    if (this.#comesRound("counting", STATISTICS_MILLISECONDS)) await countGrownTables(this.#ctx.db);
    if (this.#comesRound("reporting", REPORT_MILLISECONDS)) await reportHeld(this.#ctx, this.#reportedHeld);
    return done > 0 ? 0 : Math.min(...this.#next.values()) - performance.now();
  }
}

/**
 * Carries out due work from now on until it is stopped. Work that has begun is finished first. Any number of workers
 * may run side by side. `deliveries`: the same Context with the database connections for webhooks and e-mail. `look`:
 * the longest wait of a row that another process wrote, in milliseconds.
 */
export function startWorker(ctx: Context, deliveries = ctx, look?: number): { stop(): Promise<void> } {
  const rounds = new Rounds(ctx);
  const failed = (error: unknown) => {
    ctx.log.error({ err: error }, "the worker can't ask the database");
    return POLL_MILLISECONDS;
  };
  const working = startLoop(() => rounds.turn().catch(failed));
  const unsubscribe = ctx.db.notifier.subscribe(QUEUES, (queue) => {
    rounds.wake(queue);
    working.wake();
  });
  const deliverer = startDeliverer(deliveries);
  const mailer = startMailer(deliveries);
  const poller = startPoller(deliveries, look);
  return {
    async stop() {
      rounds.stopping = true;
      unsubscribe();
      await Promise.all([poller.stop(), working.stop(), deliverer.stop(), mailer.stop()]);
    },
  };
}
