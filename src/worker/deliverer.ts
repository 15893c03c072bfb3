import { deliver } from "../actions/deliver.ts";
import type { Context } from "../context.ts";
import { organizations } from "../store/organizations.ts";
import { claimDeliveries, dueEndpoints, endpoints } from "../store/webhooks.ts";

/** At once to one endpoint, and to all. */
const HANDS_PER_ENDPOINT = 8;
const HANDS = 128;
/** Who takes longer to answer, or does not answer at all, gets one hand at a time, and no more than these with all others like it. */
const SLOW_MILLISECONDS = 2_000;
const HANDS_FOR_SLOW = 64;
const POLL_MILLISECONDS = 200;
/** An endpoint whose deliveries all wait for others is not asked after for so long, unless one of its own is done. */
const REST_MILLISECONDS = 1_000;
/** Claims at the same time; more only take the database's connections from those who call Billow. */
const CLAIMS = 4;

type Wanted = { organizationId: string; endpointId: string; hands: number };

/** The hands that send, and what they are at. */
class Hands {
  readonly #ctx: Context;
  readonly #busy = new Map<string, number>();
  readonly #slow = new Set<string>();
  readonly #restUntil = new Map<string, number>();
  readonly running = new Set<Promise<void>>();
  /** How many deliveries are done. */
  done = 0;
  /** Called whenever a hand is free again. */
  onFree: () => void = () => undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  #start(key: string, task: Promise<void>): void {
    const began = performance.now();
    this.#busy.set(key, (this.#busy.get(key) ?? 0) + 1);
    const done = task
      .catch((error: unknown) => this.#ctx.log.error({ err: error, endpointId: key }, "a delivery failed to be kept"))
      .finally(() => {
        const left = (this.#busy.get(key) ?? 1) - 1;
        if (left === 0) this.#busy.delete(key);
        else this.#busy.set(key, left);
        if (performance.now() - began > SLOW_MILLISECONDS) this.#slow.add(key);
        else this.#slow.delete(key);
        this.#restUntil.delete(key);
        this.running.delete(done);
        this.done += 1;
        this.onFree();
      });
    this.running.add(done);
  }

  /** Takes what is due for one endpoint, as far as hands were given to it. Answers how many were taken. */
  async #serve({ organizationId, endpointId, hands }: Wanted): Promise<number> {
    const { db } = this.#ctx;
    const [endpoint, organization] = await Promise.all([
      endpoints.find(db.read, organizationId, endpointId),
      organizations.find(db.read, organizationId),
    ]);
    if (!endpoint || !organization) return 0;
    const claimed = await db.tx((tx) => claimDeliveries(tx, organizationId, endpointId, hands));
    if (claimed.length === 0) this.#restUntil.set(endpointId, performance.now() + REST_MILLISECONDS);
    for (const due of claimed) this.#start(endpointId, deliver(this.#ctx, organization.mode, endpoint, due));
    return claimed.length;
  }

  /** Gives the free hands to whoever waits, longest first, a few each: ten thousand events for one get no more than ten for another. */
  #share(due: readonly { organizationId: string; endpointId: string }[]): Wanted[] {
    const now = performance.now();
    for (const [key, until] of this.#restUntil) if (until <= now) this.#restUntil.delete(key);
    const busy = (key: string) => this.#busy.get(key) ?? 0;
    const most = (key: string) => (this.#slow.has(key) ? 1 : HANDS_PER_ENDPOINT);
    // No sooner than half of its hands are free, so that one claim brings several.
    const waiting = due.filter(({ endpointId }) => !this.#restUntil.has(endpointId) && busy(endpointId) <= most(endpointId) / 2);
    let free = HANDS - this.running.size;
    let freeForSlow = HANDS_FOR_SLOW - [...this.#slow].reduce((sum, key) => sum + busy(key), 0);
    const share = Math.max(1, Math.floor(free / Math.max(waiting.length, 1)));
    const wanted: Wanted[] = [];
    for (const { organizationId, endpointId } of waiting) {
      const isSlow = this.#slow.has(endpointId);
      const hands = Math.min(share, most(endpointId) - busy(endpointId), isSlow ? freeForSlow : free, free);
      if (hands <= 0) continue;
      free -= hands;
      if (isSlow) freeForSlow -= hands;
      wanted.push({ organizationId, endpointId, hands });
    }
    return wanted;
  }

  /** Everybody in turn. Answers how many deliveries were begun. */
  async round(): Promise<number> {
    const queue = this.#share(await dueEndpoints(this.#ctx.db.read));
    let taken = 0;
    const claim = async () => {
      for (let wanted = queue.shift(); wanted; wanted = queue.shift()) {
        const some = await this.#serve(wanted);
        taken += some;
      }
    };
    await Promise.all(Array.from({ length: Math.min(CLAIMS, queue.length) }, claim));
    return taken;
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
      const { done } = hands;
      const taken = await hands.round().catch((error: unknown) => {
        ctx.log.error({ err: error }, "the deliverer can't ask the database");
        return 0;
      });
      if (stopping) return;
      // With all hands full, or nothing to take, whoever is done first goes on.
      if ((taken > 0 && !hands.areFull) || hands.done > done) continue;
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
