import { setTimeout as sleep } from "node:timers/promises";
import { keepAnswer } from "../actions/webhook/deliver.ts";
import type { Context } from "../context.ts";
import { arrived, HOLDING_ATTEMPTS, type DeliveryAnswer } from "../domain/webhook/webhook.ts";
import { isUnavailable } from "../errors.ts";
import { unhurried } from "../store/db.ts";
import { keepArrivals, type Arrival, type DueDelivery, type KeptArrival } from "../store/webhook-queue.ts";

/** The answer to a delivery that was sent to `url`. */
export type Answered = { due: DueDelivery; url: string; answer: DeliveryAnswer };

/** The most arrivals that one transaction keeps. */
const MOST = 250;
/** An arrival waits this long for others, to be kept together with them. */
const GATHER_MILLISECONDS = 5;
/** Keeping arrivals is retried for this long while the database is away. Most of their claims last longer. */
const PATIENCE_MILLISECONDS = 20_000;
const AGAIN_MILLISECONDS = 250;

function arrivalOf({ due: { organizationId, id }, answer }: Answered): Arrival[] {
  return arrived(answer) && "status" in answer ? [{ organizationId, id, ...answer }] : [];
}

/**
 * Keeps the answers. Arrivals are kept many at a time and without waiting for the disk, since an arrival that is
 * forgotten is sent again. Each failure has a transaction of its own.
 */
export class Answers {
  readonly #ctx: Context;
  readonly #onNext: (due: DueDelivery) => void;
  readonly #onPause: (due: DueDelivery) => void;
  #arrivals: Answered[] = [];
  #keeping: Promise<void> | null = null;

  /**
   * `onNext` is called with each kept delivery that may let others go out, `onPause` with each delivery at which the
   * receiver asked for a pause.
   */
  constructor(ctx: Context, onNext: (due: DueDelivery) => void, onPause: (due: DueDelivery) => void) {
    this.#ctx = ctx;
    this.#onNext = onNext;
    this.#onPause = onPause;
  }

  /** Resolves when a failure is kept. An arrival is kept soon afterwards. */
  async keep(answered: Answered): Promise<void> {
    if (!arrived(answered.answer)) return this.#keepOne(answered);
    this.#arrivals.push(answered);
    this.#keeping ??= this.#keepArrivals();
  }

  /** Resolves when all arrivals so far are kept. */
  async drain(): Promise<void> {
    await this.#keeping;
  }

  async #keepOne({ due, answer, url }: Answered): Promise<void> {
    try {
      const stopped = await this.#ctx.db.tx((tx) => keepAnswer(tx, due, answer, url));
      const { organizationId, endpointId } = due;
      if (stopped === "paused") this.#onPause(due);
      else if (stopped)
        this.#ctx.log.error({ organizationId, endpointId, reason: stopped }, "a webhook endpoint is disabled");
      // A failure lets others go out only if it was the last one that held them back. A retry waits for the next
      // look, which reads its endpoint anew.
      if (arrived(answer) || due.attempts + 1 === HOLDING_ATTEMPTS) this.#onNext(due);
    } catch (error) {
      this.#ctx.log.error({ err: error, endpointId: due.endpointId }, "the outcome of a delivery can't be kept");
    }
  }

  async #keepArrivals(): Promise<void> {
    while (this.#arrivals.length > 0) {
      await sleep(GATHER_MILLISECONDS);
      const some = this.#arrivals.splice(0, MOST);
      const kept = await this.#keepTogether(some);
      const known = new Map(kept.map((each) => [each.id, each]));
      for (const { due } of some) if (known.get(due.id)?.hasNext) this.#onNext(due);
      // An arrival that is not kept by then is sent again when its claim runs out.
      const until = performance.now() + PATIENCE_MILLISECONDS;
      for (const each of some) if (!known.has(each.due.id) && performance.now() < until) await this.#keepOne(each);
    }
    // The last look at the list was in the same turn of the event loop: an arrival from now on begins anew.
    this.#keeping = null;
  }

  /**
   * Answers the arrivals that were kept. The list is empty if the database refuses one of them, or can't be asked for
   * too long.
   */
  async #keepTogether(some: readonly Answered[]): Promise<KeptArrival[]> {
    const db = unhurried(this.#ctx.db);
    for (const until = performance.now() + PATIENCE_MILLISECONDS; ; await sleep(AGAIN_MILLISECONDS)) {
      try {
        return await db.tx((tx) => keepArrivals(tx, some.flatMap(arrivalOf)));
      } catch (error) {
        this.#ctx.log.error({ err: error, count: some.length }, "the outcome of deliveries can't be kept");
        if (!isUnavailable(error) || performance.now() >= until) return [];
      }
    }
  }
}
