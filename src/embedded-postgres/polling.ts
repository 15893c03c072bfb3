import { setTimeout as sleep } from "node:timers/promises";

const PAUSE = 20;

/** Calls `ask` every 20 ms until its answer is truthy, for at most this many milliseconds. Returns the last answer. */
export async function askUntil<T>(milliseconds: number, ask: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const answer = await ask();
    if (answer || performance.now() > deadline) return answer;
    await sleep(PAUSE);
  }
}
