export type Loop = { wake(): void; stop(): Promise<void> };

/**
 * Turns that `wake` asks for begin at least this far apart, so that one turn serves all transactions of these
 * milliseconds.
 */
const APART_MILLISECONDS = 5;

/**
 * Takes turns until it is stopped. The first turn comes at once. The next turn comes when the loop is woken, or after
 * as many milliseconds as the last turn answered. `turn` may answer `Infinity`, and must not reject.
 */
export function startLoop(turn: () => Promise<number>): Loop {
  let [stopping, woken] = [false, false];
  let end: () => void = () => undefined;

  /** Waits for `milliseconds`, or until `end` is called. */
  async function pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    end = resolve;
    const timer = milliseconds === Infinity ? undefined : setTimeout(resolve, milliseconds);
    await promise;
    clearTimeout(timer);
  }

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false;
      const began = performance.now();
      const rest = await turn();
      if (stopping || rest <= 0) continue;
      if (!woken) await pause(rest);
      const early = began + APART_MILLISECONDS - performance.now();
      if (woken && !stopping && early > 0) await pause(early);
    }
  }

  const working = work();
  return {
    wake() {
      if (!woken) end();
      woken = true;
    },
    async stop() {
      stopping = true;
      end();
      await working;
    },
  };
}
