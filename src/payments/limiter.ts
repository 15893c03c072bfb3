import { setTimeout } from "node:timers/promises";
import { ProviderBusy, type ProviderLimits } from "./limits.ts";
import type { PaymentProvider } from "./provider.ts";
import { traced } from "../tracing/tracing.ts";

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
export const REAL_PAUSES: Pauses = { now: () => performance.now(), sleep: (milliseconds) => setTimeout(milliseconds) };

/**
 * `buyer`: a buyer may be waiting, so the call does not wait for a batch of renewals. `due`: a charge or refund of the
 * worker. `background`: neither of them waits for the call.
 */
export type Urgency = "buyer" | "due" | "background";

/**
 * The order of the next call. While calls of all kinds wait, one call of ten is a background call, because a day of
 * charges must not keep back the news of a dispute. The others are calls for buyers and for due work in turn.
 */
function orderOf(begun: number): readonly Urgency[] {
  if (begun % 10 === 0) return ["background", "buyer", "due"];
  return begun % 2 === 1 ? ["buyer", "due", "background"] : ["due", "buyer", "background"];
}

/** Begins calls to one account as fast as the provider's limits allow: calls of one urgency in order of arrival. */
export class Limiter {
  readonly #limits: ProviderLimits;
  readonly #pauses: Pauses;
  readonly #waiting: Record<Urgency, (() => void)[]> = { buyer: [], due: [], background: [] };
  #inFlight = 0;
  #begun = 0;
  #isBeginning = false;
  /** The present rate, as a fraction of the full rate. */
  #pace = 1;
  #nextAt = 0;

  constructor(limits: ProviderLimits, pauses = REAL_PAUSES) {
    this.#limits = limits;
    this.#pauses = pauses;
  }

  async run<T>(call: () => Promise<T>, urgency: Urgency): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#turn(urgency);
      try {
        const answer = await call();
        this.#pace = Math.min(1, this.#pace + RECOVERY);
        return answer;
      } catch (error) {
        if (!(error instanceof ProviderBusy) || attempt === MOST_ATTEMPTS) throw error;
        this.#slowDown(error.milliseconds);
      } finally {
        this.#inFlight -= 1;
        void this.#beginAll();
      }
    }
  }

  #turn(urgency: Urgency): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting[urgency].push(resolve);
      void this.#beginAll();
    });
  }

  /** Begins waiting calls until the limit of calls in flight is reached. One run at a time keeps the rate. */
  async #beginAll(): Promise<void> {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#inFlight < this.#limits.inFlight && this.#isAwaited()) {
      const now = this.#pauses.now();
      if (this.#nextAt > now) await this.#pauses.sleep(this.#nextAt - now);
      else this.#beginNext(now);
    }
    this.#isBeginning = false;
  }

  #isAwaited(): boolean {
    return Object.values(this.#waiting).some(({ length }) => length > 0);
  }

  #beginNext(now: number): void {
    this.#begun += 1;
    const next = orderOf(this.#begun).find((urgency) => this.#waiting[urgency].length > 0)!;
    const begin = this.#waiting[next].shift()!;
    this.#inFlight += 1;
    this.#nextAt = now + 1000 / (this.#limits.perSecond * this.#pace);
    begin();
  }

  #slowDown(milliseconds: number): void {
    this.#pace = Math.max(this.#pace / 2, RECOVERY);
    this.#nextAt = Math.max(this.#nextAt, this.#pauses.now() + Math.min(milliseconds, MOST_WAITING_MILLISECONDS));
  }
}

/** The limiter of the account of a provider object. */
export type LimiterOf = (provider: Pick<PaymentProvider, "name" | "account" | "limits">) => Limiter;

/**
 * The limiters of a process, one for each account: the provider counts the calls of all objects that are open for an
 * account. In the provider's test mode an account has limits of its own.
 */
export function openLimiters(): LimiterOf {
  const limiters = new Map<string, Limiter>();
  return ({ name, account, limits }) =>
    limiters.getOrInsertComputed(JSON.stringify([name, account, limits]), () => new Limiter(limits));
}

/** The span of one call, without the wait for the limits. */
const spanOf = ({ name }: PaymentProvider, operation: string) =>
  ({
    name: `${name} ${operation}`,
    kind: "client",
    within: "parent",
    attributes: { "billow.payments.provider": name, "billow.payments.operation": operation },
  }) as const;

/**
 * The provider with the limits applied to each call that reaches the provider. A buyer who comes back from the
 * provider's page waits for a read.
 */
export function limited<P extends PaymentProvider>(provider: P, limiter: Limiter): P {
  const { notices, orphans } = provider;
  const within =
    (urgency: Urgency) =>
    <T>(operation: string, call: () => Promise<T>) =>
      limiter.run(() => traced(() => spanOf(provider, operation), call), urgency);
  const [soon, due, later] = [within("buyer"), within("due"), within("background")];
  return {
    ...provider,
    saveCard: (request) => soon("save_card", () => provider.saveCard(request)),
    charge: (request) => (request.presence === "buyer" ? soon : due)("charge", () => provider.charge(request)),
    read: (organizationId, key) => soon("read", () => provider.read(organizationId, key)),
    cancel: (request) => soon("cancel", () => provider.cancel(request)),
    refund: (request) => due("refund", () => provider.refund(request)),
    forget: (organizationId, customerId) => later("forget", () => provider.forget(organizationId, customerId)),
    history: (query) => later("history", () => provider.history(query)),
    ...(orphans && { orphans: (query) => later("orphans", () => orphans(query)) }),
    notices: notices && {
      ...notices,
      since: (organizationId, cursor, cards) => later("since", () => notices.since(organizationId, cursor, cards)),
      look: (organizationId, ref) => later("look", () => notices.look(organizationId, ref)),
    },
  };
}
