import { setTimeout as sleep } from "node:timers/promises";
import { keepAnswer } from "../actions/webhook/deliver.ts";
import type { Context } from "../context.ts";
import { arrived, HOLDING_ATTEMPTS, type DeliveryAnswer } from "../domain/webhook/webhook.ts";
import { AppError } from "../errors.ts";
import { unhurried } from "../store/db.ts";
import { keepArrivals, type Arrival, type DueDelivery, type KeptArrival } from "../store/webhook-queue.ts";

/** What came back for a delivery that was sent to `url`. */
export type Answered = { due: DueDelivery; url: string; answer: DeliveryAnswer };

/** In one transaction. */
const MOST = 250;
/** Arrivals wait so long for others, to be kept together. */
const GATHER_MILLISECONDS = 5;
/** How long it is tried to keep arrivals while the database can't be asked: well before most of their claims run out. */
const PATIENCE_MILLISECONDS = 20_000;
const AGAIN_MILLISECONDS = 250;

function arrivalOf({ due: { organizationId, id }, answer }: Answered): Arrival[] {
  return arrived(answer) && "status" in answer ? [{ organizationId, id, ...answer }] : [];
}

/**
 * Keeps what came back. Arrivals are kept many at a time, and without waiting for the disk, since an arrival that is forgotten is sent
 * again. A failure has a transaction of its own.
 */
export class Answers {
  readonly #ctx: Context;
  readonly #onNext: (due: DueDelivery) => void;
  readonly #onPause: (due: DueDelivery) => void;
  #arrivals: Answered[] = [];
  #keeping: Promise<void> | null = null;

  /** `onNext` is told of each one that is kept and may let others go out, `onPause` of each whose receiver wants nothing for a while. */
  constructor(ctx: Context, onNext: (due: DueDelivery) => void, onPause: (due: DueDelivery) => void) {
    this.#ctx = ctx;
    this.#onNext = onNext;
    this.#onPause = onPause;
  }

  /** Resolves when a failure is kept; an arrival is kept soon. */
  async keep(answered: Answered): Promise<void> {
    if (!arrived(answered.answer)) return this.#keepOne(answered);
    this.#arrivals.push(answered);
    this.#keeping ??= this.#keepArrivals();
  }

  /** Resolves when everything is kept that has come. */
  async drain(): Promise<void> {
    await this.#keeping;
  }

  async #keepOne({ due, answer, url }: Answered): Promise<void> {
    try {
      const stopped = await this.#ctx.db.tx((tx) => keepAnswer(tx, due, answer, url));
      const { organizationId, endpointId } = due;
      if (stopped === "paused") this.#onPause(due);
      else if (stopped) this.#ctx.log.error({ organizationId, endpointId, reason: stopped }, "a webhook endpoint is disabled");
      // A failure lets others go out only if it was the last that holds them back. Who is to be sent it again is looked at anew first.
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
      // What is not kept by then is sent again, as its claim runs out.
      const until = performance.now() + PATIENCE_MILLISECONDS;
      for (const each of some) if (!known.has(each.due.id) && performance.now() < until) await this.#keepOne(each);
    }
    // In the same turn as the last look at what has come: what comes from now on begins anew.
    this.#keeping = null;
  }

  /** Answers which were kept; none where the database refuses one of them, or can't be asked for too long. */
  async #keepTogether(some: readonly Answered[]): Promise<KeptArrival[]> {
    const db = unhurried(this.#ctx.db);
    for (const until = performance.now() + PATIENCE_MILLISECONDS; ; await sleep(AGAIN_MILLISECONDS)) {
      try {
        return await db.tx((tx) => keepArrivals(tx, some.flatMap(arrivalOf)));
      } catch (error) {
        this.#ctx.log.error({ err: error, count: some.length }, "the outcome of deliveries can't be kept");
        const isLost = error instanceof AppError && error.code === "unavailable";
        if (!isLost || performance.now() >= until) return [];
      }
    }
  }
}
