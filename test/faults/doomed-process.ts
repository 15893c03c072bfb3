import type { Context } from "../../src/context.ts";
import type { StripeServer } from "../payments/stripe/server.ts";
import type { FaultKind } from "../payments/stripe/faults.ts";

// A step under test replaces the global function.
const { fetch: realFetch } = globalThis;

/** The end of a process, as by `kill -9`. */
export class Crash extends Error {}

/**
 * A process of Billow that ends at its `left`-th operation: before a request, after a request whose answer is lost,
 * before a commit, or after one. Then no further operation reaches the database or Stripe.
 */
export type Doomed = { ctx: Context; fetch: typeof fetch; operations(): number };

export function doomedProcess(ctx: Context, left: number): Doomed {
  let done = 0;
  const tick = (): void => {
    done += 1;
    if (done >= left) throw new Crash("the process ended");
  };
  const { db } = ctx;
  const mortal: Context = {
    ...ctx,
    db: {
      ...db,
      async tx(work) {
        const result = await db.tx(async (tx) => {
          const found = await work(tx);
          tick();
          return found;
        });
        tick();
        return result;
      },
    },
  };
  return {
    ctx: mortal,
    operations: () => done,
    async fetch(input, init) {
      tick();
      const answer = await realFetch(input, init);
      tick();
      return answer;
    },
  };
}

/** Answers of Stripe that are lost, late or refused for a moment. */
const FAULTS: readonly FaultKind[] = ["before", "after", "cut", "500", "500 done", "502", "429", "lock", "lock 409"];

/** Plants a fault for one of the next requests. */
export function plantFault(stripe: StripeServer, random: () => number): void {
  const kind = FAULTS[Math.floor(random() * FAULTS.length)]!;
  let before = Math.floor(random() * 12);
  stripe.fault(() => (before -= 1) < 0, kind);
}
