import { setTimeout as sleep } from "node:timers/promises";

/** Real time in milliseconds since 1970 in UTC. */
export function realNow(): number {
  return Date.now();
}

/** Waits for so many milliseconds; ends at once when `signal` is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Waits for `work`, but for so many milliseconds at most. The timer keeps no process alive. @throws as `work` does */
export function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
  return Promise.race([work, limit]).then(() => undefined);
}
