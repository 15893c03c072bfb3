import { setTimeout } from "node:timers/promises";
import { ProviderBusy, type ProviderLimits } from "./limits.ts";
import type { PaymentProvider } from "./provider.ts";

/**
 * How often a call is sent while the provider is busy. After the last attempt its outcome is unknown, and a status
 * query follows later (rule D2).
 */
const MOST_ATTEMPTS = 4;
/** A lease on a payment is 10 s, so no call waits longer than this for a busy provider. */
const MOST_WAITING_MILLISECONDS = 2_000;
/** After a refusal the rate is halved. Each accepted call restores this fraction of the full rate. */
const RECOVERY = 0.05;

/** A clock that runs evenly, in milliseconds, and a pause. */
export type Pauses = { now: () => number; sleep: (milliseconds: number) => Promise<unknown> };
const REAL: Pauses = { now: () => performance.now(), sleep: (milliseconds) => setTimeout(milliseconds) };

/** Begins calls to one provider in the order of their arrival, as fast as the provider's limits allow. */
export class Limiter {
  readonly #limits: ProviderLimits;
  readonly #pauses: Pauses;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;
  /** The present rate, as a fraction of the full rate. */
  #pace = 1;
  #nextAt = 0;

  constructor(limits: ProviderLimits, pauses = REAL) {
    this.#limits = limits;
    this.#pauses = pauses;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#begin();
      try {
        const answer = await call();
        this.#pace = Math.min(1, this.#pace + RECOVERY);
        return answer;
      } catch (error) {
        if (!(error instanceof ProviderBusy) || attempt === MOST_ATTEMPTS) throw error;
        this.#slowDown(error.milliseconds);
      } finally {
        this.#end();
      }
    }
  }

  async #begin(): Promise<void> {
    if (this.#inFlight >= this.#limits.inFlight) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inFlight += 1;
    const now = this.#pauses.now();
    const beginAt = Math.max(now, this.#nextAt);
    this.#nextAt = beginAt + 1000 / (this.#limits.perSecond * this.#pace);
    if (beginAt > now) await this.#pauses.sleep(beginAt - now);
  }

  /** Passes the free slot to the next waiting call at once. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inFlight -= 1;
  }

  #slowDown(milliseconds: number): void {
    this.#pace = Math.max(this.#pace / 2, RECOVERY);
    this.#nextAt = Math.max(this.#nextAt, this.#pauses.now() + Math.min(milliseconds, MOST_WAITING_MILLISECONDS));
  }
}

const limiters = new WeakMap<PaymentProvider, PaymentProvider>();

/**
 * The provider with its limits applied to charges, card saves, reads, cancels, refunds and pages of its book. One queue
 * for the whole process.
 */
export function limited(provider: PaymentProvider): PaymentProvider {
  return limiters.getOrInsertComputed(provider, () => {
    const limiter = new Limiter(provider.limits);
    return {
      ...provider,
      saveCard: (request) => limiter.run(() => provider.saveCard(request)),
      charge: (request) => limiter.run(() => provider.charge(request)),
      read: (organizationId, key) => limiter.run(() => provider.read(organizationId, key)),
      cancel: (request) => limiter.run(() => provider.cancel(request)),
      refund: (request) => limiter.run(() => provider.refund(request)),
      history: (query) => limiter.run(() => provider.history(query)),
      ...(provider.orphans && { orphans: (query) => limiter.run(() => provider.orphans!(query)) }),
    };
  });
}
