import { setTimeout as sleep } from "node:timers/promises";
import { keepAnswer } from "../actions/deliver.ts";
import type { Context } from "../context.ts";
import { arrived, type DeliveryAnswer } from "../domain/webhook.ts";
import { unhurried } from "../store/db.ts";
import { keepArrivals, type Arrival, type DueDelivery } from "../store/webhook-queue.ts";

/** What came back for a delivery that was sent to `url`. */
export type Answered = { due: DueDelivery; url: string; answer: DeliveryAnswer };

/** In one transaction. */
const MOST = 250;
/** Arrivals wait so long for others, to be kept together. */
const GATHER_MILLISECONDS = 5;

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
  #arrivals: Answered[] = [];
  #keeping: Promise<void> | null = null;

  /** `onNext` is told of each one that is kept and may let later events of its resource go out. */
  constructor(ctx: Context, onNext: (due: DueDelivery) => void) {
    this.#ctx = ctx;
    this.#onNext = onNext;
  }

  /** Resolves when a failure is kept; an arrival is kept soon. */
  async keep(answered: Answered): Promise<void> {
    if (!arrived(answered.answer)) return this.#keepOne(answered);
    this.#arrivals.push(answered);
    this.#keeping ??= this.#keepArrivals().finally(() => {
      this.#keeping = null;
    });
  }

  /** Resolves when everything is kept that has come. */
  async drain(): Promise<void> {
    await this.#keeping;
  }

  async #keepOne({ due, answer, url }: Answered): Promise<void> {
    try {
      await this.#ctx.db.tx((tx) => keepAnswer(tx, due, answer, url));
      this.#onNext(due);
    } catch (error) {
      this.#ctx.log.error({ err: error, endpointId: due.endpointId }, "the outcome of a delivery can't be kept");
    }
  }

  async #keepArrivals(): Promise<void> {
    const db = unhurried(this.#ctx.db);
    while (this.#arrivals.length > 0) {
      await sleep(GATHER_MILLISECONDS);
      const some = this.#arrivals.splice(0, MOST);
      const kept = await db
        .tx((tx) => keepArrivals(tx, some.flatMap(arrivalOf)))
        .catch((error: unknown) => {
          this.#ctx.log.error({ err: error, count: some.length }, "the outcome of deliveries can't be kept");
          return null;
        });
      // Their claims run out, and they are sent again.
      if (!kept) continue;
      const known = new Map(kept.map((each) => [each.id, each]));
      for (const each of some) {
        const found = known.get(each.due.id);
        if (!found) await this.#keepOne(each);
        else if (found.hasNext) this.#onNext(each.due);
      }
    }
  }
}
