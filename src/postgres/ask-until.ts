import { setTimeout as sleep } from "node:timers/promises";

const PAUSE = 20;

/** Asks every 20 ms for an answer that counts as true, for `patience` milliseconds at most. Answers the last answer. */
export async function askUntil<T>(patience: number, ask: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await ask();
    if (answer || performance.now() > deadline) return answer;
    await sleep(PAUSE);
  }
}
