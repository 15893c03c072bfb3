import type { Context } from "../context.ts";
import { readAgenda, type Agenda } from "../store/agenda.ts";
import type { Queue } from "../store/bell.ts";
import { startLoop, type Loop } from "./loop.ts";

/** How long a row waits at most that another process wrote, or that no transaction told of; the bell tells what this process writes. */
export const LOOK_MILLISECONDS = 250;

/** Which queues have something due, and in how many milliseconds they are to be asked again: `most` at the latest. */
export function planWatch(agenda: Agenda, most: number): { due: Queue[]; rest: number } {
  const due: Queue[] = [];
  let rest = most;
  for (const [queue, milliseconds] of agenda) {
    if (milliseconds === null) continue;
    if (milliseconds <= 0) due.push(queue);
    // A timer counts in whole milliseconds, and never less than one.
    else rest = Math.min(rest, Math.ceil(milliseconds));
  }
  return { due, rest };
}

/** Rings for each queue whenever something in it is due. `look`: how often it asks at least, in milliseconds. */
export function startWatch(ctx: Context, look = LOOK_MILLISECONDS): Pick<Loop, "stop"> {
  return startLoop(async () => {
    try {
      const { due, rest } = planWatch(await readAgenda(ctx.db.read), look);
      for (const queue of due) ctx.db.bell.ring(queue);
      return rest;
    } catch (error) {
      ctx.log.error({ err: error }, "the worker can't ask what is due");
      return LOOK_MILLISECONDS;
    }
  });
}
