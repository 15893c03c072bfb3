import { setTimeout as sleep } from "node:timers/promises";

/** Shorter than the time limit of a test, so that the test's error names the wait. */
const SECONDS = 150;
const PAUSE_MILLISECONDS = 10;

/**
 * Asks again and again until the answer counts as true, and returns this answer. `pause`: milliseconds between two
 * questions.
 * @throws Error after `seconds`
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  { seconds = SECONDS, pause = PAUSE_MILLISECONDS } = {},
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`no result in ${seconds} s`);
    await sleep(pause);
  }
}
