/**
 * - `before`: the connection is reset before the request is carried out. `after`: the connection is reset afterwards.
 * - `cut`: the request is carried out, and half of the body arrives.
 * - `500`: the request is not carried out. `500 done`: the request is carried out. Both answers are kept for the
 *   request's Idempotency-Key.
 * - `502`: the request is not carried out, and a proxy answers with a page of HTML.
 * - `429`, `lock` (429 with `lock_timeout`), `lock 409` (the same with the status of older documents), `401`, `403`:
 *   the request is not carried out, and the answer is not kept.
 * - `amount too large`: the request is not carried out, and the error names the amount. A card network may find an
 *   amount too large that Stripe's own limit allows.
 * - `card state`: the request is not carried out, because of the card: `payment_method_unexpected_state`.
 * - `not activated`: the request is not carried out, because the account can't make live charges.
 * - `slow`: the request is carried out at `release`. `slow done`: the request is carried out, and the answer waits for
 *   `release`.
 */
export type FaultKind =
  | "before"
  | "after"
  | "cut"
  | "500"
  | "500 done"
  | "502"
  | "429"
  | "lock"
  | "lock 409"
  | "401"
  | "403"
  | "amount too large"
  | "card state"
  | "not activated"
  | "slow"
  | "slow done";

export type Seen = { method: string; path: string; idempotencyKey: string | null; body: string };

/**
 * The requests that a fault strikes: `POST /v1/payment_intents/:id/confirm`, in which `:id` is any id and a final `*`
 * is any rest, or a function.
 */
export type Match = string | ((request: Seen) => boolean);

export type Fault = {
  readonly kind: FaultKind;
  /** Resolves when the fault has struck for the first time. */
  readonly struck: Promise<void>;
  /** The number of requests struck so far. */
  readonly count: () => number;
  /** Lets the requests of a slow fault go on, those to come too. */
  release(): void;
  /** Ends the fault. */
  lift(): void;
};

type Planted = Fault & { matches(request: Seen): boolean; strike(): void; released: Promise<void> };

export type Faults = ReturnType<typeof createFaults>;

/** The planted faults, oldest first. A request meets one of them at most. */
export function createFaults() {
  const planted = new Set<Planted>();

  /** Plants a fault for the next `times` matching requests. */
  function plant(match: Match, kind: FaultKind, times = 1): Fault {
    const released = Promise.withResolvers<void>();
    const struck = Promise.withResolvers<void>();
    let count = 0;
    const fault: Planted = {
      kind,
      struck: struck.promise,
      released: released.promise,
      count: () => count,
      release: () => released.resolve(),
      lift: () => void planted.delete(fault),
      matches: typeof match === "function" ? match : matcherOf(match),
      strike() {
        count++;
        struck.resolve();
        if (count >= times) planted.delete(fault);
      },
    };
    planted.add(fault);
    return fault;
  }

  /** The fault that this request meets. */
  function meet(request: Seen): { kind: FaultKind; released: Promise<void> } | null {
    for (const fault of planted) {
      if (!fault.matches(request)) continue;
      fault.strike();
      return fault;
    }
    return null;
  }

  return { plant, meet, clear: () => planted.clear() };
}

function matcherOf(match: string): (request: Seen) => boolean {
  const pattern = match
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, "[^/ ]+")
    .replace(/\*$/, ".*");
  const whole = new RegExp(`^${pattern}$`);
  return ({ method, path }) => whole.test(`${method} ${path}`);
}
