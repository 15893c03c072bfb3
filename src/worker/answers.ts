import { setTimeout as sleep } from "node:timers/promises";
import { recordAnswer } from "../actions/webhook/answers.ts";
import type { Context } from "../context.ts";
import { arrived, HOLDING_ATTEMPTS, type DeliveryAnswer } from "../domain/webhook/answer.ts";
import { isUnavailable } from "../errors.ts";
import { withAsyncCommit } from "../store/driver/db.ts";
import { keepArrivals, type Arrival, type DueDelivery, type KeptArrival } from "../store/webhook-queue.ts";

/** The answer to a delivery that was sent to `url`. */
export type Answered = { due: DueDelivery; url: string; answer: DeliveryAnswer };

/** The most arrivals that one transaction records. */
const MOST = 250;
/** An arrival waits this long for other arrivals, so that one transaction records them together. */
const GATHER_MILLISECONDS = 5;
/**
 * While the database is away, recording arrivals is retried for this long. Most claims on these deliveries last longer.
 */
const PATIENCE_MILLISECONDS = 20_000;
const AGAIN_MILLISECONDS = 250;

function arrivalOf({ due: { organizationId, id }, answer }: Answered): Arrival[] {
  return arrived(answer) && "status" in answer ? [{ organizationId, id, ...answer }] : [];
}

/**
 * Records the receivers' answers. Arrivals are recorded many at a time and without waiting for the disk: if an arrival
 * is lost in a power cut, its delivery is sent again. Each failure is recorded in a transaction of its own.
 */
export class Answers {
  readonly #ctx: Context;
  readonly #onNext: (due: DueDelivery) => void;
  readonly #onPause: (due: DueDelivery) => void;
  #arrivals: Answered[] = [];
  #keeping: Promise<void> | null = null;

  /**
   * `onNext` is called with each recorded delivery that may have held back others. `onPause` is called with each
   * delivery whose receiver asked for a pause.
   */
  constructor(ctx: Context, onNext: (due: DueDelivery) => void, onPause: (due: DueDelivery) => void) {
    this.#ctx = ctx;
    this.#onNext = onNext;
    this.#onPause = onPause;
  }

  /** A failure is recorded when the promise resolves. An arrival is recorded soon after the promise resolves. */
  async keep(answered: Answered): Promise<void> {
    if (!arrived(answered.answer)) return this.#keepOne(answered);
    this.#arrivals.push(answered);
    this.#keeping ??= this.#keepArrivals();
  }

  /** Resolves when all arrivals so far are recorded. */
  async drain(): Promise<void> {
    await this.#keeping;
  }

  async #keepOne({ due, answer, url }: Answered): Promise<void> {
    try {
      const stopped = await this.#ctx.db.tx((tx) => recordAnswer(tx, due, answer, url));
      const { organizationId, endpointId } = due;
      if (stopped === "paused") this.#onPause(due);
      else if (stopped)
        this.#ctx.log.error({ organizationId, endpointId, reason: stopped }, "a webhook endpoint is disabled");
      // Of the failures, only the last one that holds back other deliveries releases them. A retry of this delivery
      // waits for the next look, which reads the endpoint anew.
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
      // If an arrival is not recorded before `until`, its delivery is sent again when its claim runs out.
      const until = performance.now() + PATIENCE_MILLISECONDS;
      for (const each of some) if (!known.has(each.due.id) && performance.now() < until) await this.#keepOne(each);
    }
    // The list was found empty in the same turn of the event loop, so no arrival is missed. The next arrival starts
    // `#keepArrivals` again.
    this.#keeping = null;
  }

  /**
   * Returns the arrivals that were recorded. The list is empty if the database refuses one of the arrivals, or stays
   * away for too long.
   */
  async #keepTogether(some: readonly Answered[]): Promise<KeptArrival[]> {
    const db = withAsyncCommit(this.#ctx.db);
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
