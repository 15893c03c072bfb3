import { deliver } from "../actions/deliver.ts";
import type { Context } from "../context.ts";
import { organizations } from "../store/organizations.ts";
import { claimDeliveries, dueEndpoints, endpoints } from "../store/webhooks.ts";

/** At once to one endpoint, and to all: a dead endpoint holds at most so many hands for its 15 seconds. */
const HANDS_PER_ENDPOINT = 8;
const HANDS = 128;
const POLL_MILLISECONDS = 200;
/** A claim outlives the longest attempt: afterwards the sender has died. */
const CLAIM_MILLISECONDS = 40_000;

/** The hands that send, and what they are at. */
class Hands {
  readonly #ctx: Context;
  readonly #busy = new Map<string, number>();
  readonly running = new Set<Promise<void>>();
  /** Called whenever a hand is free again. */
  onFree: () => void = () => undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  #start(key: string, task: Promise<void>): void {
    this.#busy.set(key, (this.#busy.get(key) ?? 0) + 1);
    const done = task
      .catch((error: unknown) => this.#ctx.log.error({ err: error, endpointId: key }, "a delivery failed to be kept"))
      .finally(() => {
        const left = (this.#busy.get(key) ?? 1) - 1;
        if (left === 0) this.#busy.delete(key);
        else this.#busy.set(key, left);
        this.running.delete(done);
        this.onFree();
      });
    this.running.add(done);
  }

  /** Takes what is due for one endpoint, as far as hands are free. Answers how many were taken. */
  async #serve(organizationId: string, endpointId: string, share: number): Promise<number> {
    const { db } = this.#ctx;
    const free = Math.min(HANDS_PER_ENDPOINT - (this.#busy.get(endpointId) ?? 0), HANDS - this.running.size, share);
    if (free <= 0) return 0;
    const [endpoint, organization] = await Promise.all([
      endpoints.find(db.read, organizationId, endpointId),
      organizations.find(db.read, organizationId),
    ]);
    if (!endpoint || !organization) return 0;
    const claimed = await db.tx((tx) => claimDeliveries(tx, organizationId, endpointId, free, CLAIM_MILLISECONDS));
    for (const due of claimed) this.#start(endpointId, deliver(this.#ctx, organization.mode, endpoint, due));
    return claimed.length;
  }

  /** Everybody in turn, a few at a time: ten thousand events waiting for one take no more hands than ten for another. */
  async round(): Promise<number> {
    const due = await dueEndpoints(this.#ctx.db.read);
    const waiting = due.filter(({ endpointId }) => (this.#busy.get(endpointId) ?? 0) < HANDS_PER_ENDPOINT);
    const share = Math.max(1, Math.floor((HANDS - this.running.size) / Math.max(waiting.length, 1)));
    const taken = await Promise.all(waiting.map(({ organizationId, endpointId }) => this.#serve(organizationId, endpointId, share)));
    return taken.reduce((sum, count) => sum + count, 0);
  }

  get areFull(): boolean {
    return this.running.size >= HANDS;
  }
}

/** Sends all that is due by now, and waits for the answers. Answers how many were sent. */
export async function deliverOnce(ctx: Context): Promise<number> {
  const hands = new Hands(ctx);
  let sent = 0;
  for (let taken = await hands.round(); taken > 0; taken = await hands.round()) {
    sent += taken;
    await Promise.all(hands.running);
  }
  return sent;
}

/** Sends deliveries on its own, so that nobody who answers slowly keeps billing waiting, nor other endpoints. */
export function startDeliverer(ctx: Context): { stop(): Promise<void> } {
  const hands = new Hands(ctx);
  let stopping = false;

  async function work(): Promise<void> {
    while (!stopping) {
      const taken = await hands.round().catch((error: unknown) => {
        ctx.log.error({ err: error }, "the deliverer can't ask the database");
        return 0;
      });
      if (stopping) return;
      // With all hands full, or nothing to take, whoever is done first goes on.
      if (taken > 0 && !hands.areFull) continue;
      await new Promise<void>((resolve) => {
        hands.onFree = resolve;
        setTimeout(resolve, POLL_MILLISECONDS);
      });
    }
  }

  const working = work();
  return {
    async stop() {
      stopping = true;
      hands.onFree();
      await working;
      await Promise.all(hands.running);
    },
  };
}
