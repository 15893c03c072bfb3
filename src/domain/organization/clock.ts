import type { Instant } from "../calendar.ts";

/**
 * The fate of a request to advance a clock from `now` to `wanted` (rule T5). `stored`: the target of the advance that is under way,
 * null where none is. A refusal is the code of its error.
 */
export function planAdvance(
  now: Instant,
  stored: Instant | null,
  wanted: Instant,
): "start" | "join" | "clock_backwards" | "clock_advancing" {
  if (wanted < now) return "clock_backwards";
  if (stored === null) return "start";
  return stored === wanted ? "join" : "clock_advancing";
}

/**
 * The fate of an advance to `target`, by where the clock stands and where it is to go now. `isDueLeft`: something is still due at
 * the instant at which the clock stands, so an advance to that very instant was stopped before its end.
 */
export function fateOf(
  target: Instant,
  now: Instant,
  stored: Instant | null,
  isDueLeft: boolean,
): "under_way" | "arrived" | "stopped" {
  if (stored === target) return "under_way";
  if (now === target && stored === null && isDueLeft) return "stopped";
  return now >= target ? "arrived" : "stopped";
}
