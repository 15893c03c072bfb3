import type { Context } from "../context.ts";
import { readQueueHeads, type QueueHeads } from "../store/queue-heads.ts";
import { acrossNodes } from "../store/distribution/across-nodes.ts";
import type { Queue } from "../store/driver/notifier.ts";
import { startLoop, type Loop } from "./loop.ts";

/**
 * The longest wait of a due row that another process wrote, or whose transaction did not tell the notifier. For the
 * rows that this process writes, the notifier wakes the queue at once.
 */
export const POLL_MILLISECONDS = 250;
/**
 * The same on a distributed database, if no queue has had a due row for `CALM_MILLISECONDS`. Each look asks all shards:
 * 21 ms of processor time with 8 shards on two nodes (decision 0107). A webhook still leaves within a second.
 */
const IDLE_POLL_MILLISECONDS = 750;
const CALM_MILLISECONDS = 10_000;

/** The queues with due rows, and the milliseconds until the next statement (at most `most`). */
export function planPoll(heads: QueueHeads, most: number): { due: Queue[]; rest: number } {
  const due: Queue[] = [];
  let rest = most;
  for (const [queue, milliseconds] of heads) {
    if (milliseconds === null) continue;
    if (milliseconds <= 0) due.push(queue);
    // A timer counts in whole milliseconds, and at least one.
    else rest = Math.min(rest, Math.ceil(milliseconds));
  }
  return { due, rest };
}

/** The longest time between two looks, if the last due row was found this many milliseconds ago. */
export const longestRest = (isDistributed: boolean, sinceDue: number): number =>
  isDistributed && sinceDue > CALM_MILLISECONDS ? IDLE_POLL_MILLISECONDS : POLL_MILLISECONDS;

/**
 * Wakes each queue whenever a row in it is due. `interval`: the longest time between two statements, in milliseconds;
 * left out: it depends on the database and on the work.
 */
export function startPoller(ctx: Context, interval?: number): Pick<Loop, "stop"> {
  let dueAt = performance.now();
  return startLoop(async () => {
    try {
      const heads = await readQueueHeads(acrossNodes(ctx.db));
      const { due, rest } = planPoll(heads, interval ?? Infinity);
      // Before the rest: work that ends a calm time calls for the next look soon.
      if (due.length > 0) dueAt = performance.now();
      for (const queue of due) ctx.db.notifier.wake(queue);
      return Math.min(rest, interval ?? longestRest(ctx.db.isDistributed(), performance.now() - dueAt));
    } catch (error) {
      ctx.log.error({ err: error }, "the worker can't ask for due work");
      return POLL_MILLISECONDS;
    }
  });
}
