import type { Context } from "../context.ts";
import { readQueueHeads, type QueueHeads } from "../store/queue-heads.ts";
import type { Queue } from "../store/driver/notifier.ts";
import { startLoop, type Loop } from "./loop.ts";

/**
 * The longest wait of a due row that another process wrote, or whose transaction did not tell the notifier. For the
 * rows that this process writes, the notifier wakes the queue at once.
 */
export const POLL_MILLISECONDS = 250;

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

/**
 * Wakes each queue whenever a row in it is due. `interval`: the longest time between two statements, in milliseconds.
 */
export function startPoller(ctx: Context, interval = POLL_MILLISECONDS): Pick<Loop, "stop"> {
  return startLoop(async () => {
    try {
      const { due, rest } = planPoll(await readQueueHeads(ctx.db.read), interval);
      for (const queue of due) ctx.db.notifier.wake(queue);
      return rest;
    } catch (error) {
      ctx.log.error({ err: error }, "the worker can't ask for due work");
      return POLL_MILLISECONDS;
    }
  });
}
