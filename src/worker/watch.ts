import type { Context } from "../context.ts";
import { readAgenda, type Agenda } from "../store/agenda.ts";
import type { Queue } from "../store/driver/bell.ts";
import { startLoop, type Loop } from "./loop.ts";

/**
 * The longest wait of a due row that another process wrote, or whose transaction did not ring the bell. For the rows
 * that this process writes, the bell rings at once.
 */
export const LOOK_MILLISECONDS = 250;

/** The queues with due rows, and the milliseconds until the next statement (at most `most`). */
export function planWatch(agenda: Agenda, most: number): { due: Queue[]; rest: number } {
  const due: Queue[] = [];
  let rest = most;
  for (const [queue, milliseconds] of agenda) {
    if (milliseconds === null) continue;
    if (milliseconds <= 0) due.push(queue);
    // A timer counts in whole milliseconds, and at least one.
    else rest = Math.min(rest, Math.ceil(milliseconds));
  }
  return { due, rest };
}

/**
 * Rings for each queue whenever a row in it is due. `look`: the longest time between two statements, in milliseconds.
 */
export function startWatch(ctx: Context, look = LOOK_MILLISECONDS): Pick<Loop, "stop"> {
  return startLoop(async () => {
    try {
      const { due, rest } = planWatch(await readAgenda(ctx.db.read), look);
      for (const queue of due) ctx.db.bell.ring(queue);
      return rest;
    } catch (error) {
      ctx.log.error({ err: error }, "the worker can't ask for due work");
      return LOOK_MILLISECONDS;
    }
  });
}
