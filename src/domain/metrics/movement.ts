import type { Instant } from "../calendar.ts";
import type { Amount } from "../money.ts";
import type { SubscriptionStatus } from "../model/subscription.ts";
import { discountsAt, mrrOf, type DiscountHistory, type Terms } from "./mrr.ts";

/** The kinds of changes of MRR (rule R4). */
export const MOVEMENT_KINDS = [
  "new",
  "reactivation",
  "expansion",
  "contraction",
  "churn",
  "pause",
  "resumption",
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A Subscription as the count has read it last: up to its event `sequence`. */
export type CountedState = {
  organizationId: string;
  subscriptionId: string;
  customerId: string;
  currency: string;
  sequence: number;
  status: SubscriptionStatus;
  quantity: number;
  mrr: Amount;
  /** Whether the MRR was ever above zero. */
  hasPaid: boolean;
};

/**
 * A change of a Subscription's MRR, status or quantity, made by its event `sequence` (rules R4, R9). `kind` is null if
 * the MRR stays. `amount`: the difference of the MRR. `quantityBefore`: 0 for a new Subscription.
 */
export type Movement = {
  organizationId: string;
  subscriptionId: string;
  sequence: number;
  customerId: string;
  currency: string;
  at: Instant;
  kind: MovementKind | null;
  amount: Amount;
  statusBefore: SubscriptionStatus | null;
  status: SubscriptionStatus;
  quantityBefore: number;
  quantity: number;
};

/** A Subscription as one of its events shows it. */
export type RecordedState = Terms & { sequence: number; at: Instant; quantity: number };

/** The events of one Subscription that were not counted yet, in order, and the discounts of the Subscription. */
export type Uncounted = DiscountHistory & {
  organizationId: string;
  subscriptionId: string;
  customerId: string;
  currency: string;
  states: readonly RecordedState[];
};

/**
 * `before`: the counted state; undefined: the Subscription is new. `isBack`: the Customer has had MRR in this currency
 * before, and has none at that time. The MRR of a pause that follows a trial has not begun (rule R4e).
 */
function kindOf(
  counted: CountedState | undefined,
  { mrr: after, status }: { mrr: Amount; status: SubscriptionStatus },
  isBack: boolean,
): MovementKind | null {
  const before = counted?.mrr ?? 0;
  if (before === after) return null;
  if (before === 0 && counted?.status === "paused" && counted.hasPaid) return "resumption";
  if (before === 0) return isBack ? "reactivation" : "new";
  if (after === 0) return status === "paused" ? "pause" : "churn";
  return after > before ? "expansion" : "contraction";
}

type Step = { of: Uncounted; state: RecordedState; mrr: Amount };

/**
 * The steps of all Subscriptions of a Customer in the order of time. A Subscription's own steps keep the order of their
 * events, even if an event is dated before the one before it.
 */
function stepsOf(uncounted: readonly Uncounted[]): Step[] {
  const positioned = uncounted.flatMap((of) => {
    const discounts = discountsAt(of, of.states);
    let position = -Infinity;
    return of.states.map((state, n) => {
      position = Math.max(position, state.at);
      return { step: { of, state, mrr: mrrOf(state, discounts[n]!) }, position };
    });
  });
  return positioned.toSorted((one, other) => one.position - other.position).map(({ step }) => step);
}

/**
 * Counts the events of one Customer's Subscriptions (rules R4a, R4b, R4c). `counted`: the states of the Customer's
 * Subscriptions as they were counted before. Returns the movements in the order of time, and the new states.
 */
export function count(
  counted: readonly CountedState[],
  uncounted: readonly Uncounted[],
): { movements: Movement[]; states: CountedState[] } {
  const states = new Map(counted.map((state) => [state.subscriptionId, state]));
  const movements: Movement[] = [];
  for (const { of, state: recorded, mrr } of stepsOf(uncounted)) {
    const { organizationId, subscriptionId, customerId, currency } = of;
    const { sequence, at, status, quantity } = recorded;
    const before = states.get(subscriptionId);
    const others = [...states.values()].filter((state) => state.currency === currency);
    const isBack = others.some(({ hasPaid }) => hasPaid) && others.every((state) => state.mrr === 0);
    const amount = mrr - (before?.mrr ?? 0);
    const kind = kindOf(before, { mrr, status }, isBack);
    const statusBefore = before?.status ?? null;
    const quantityBefore = before?.quantity ?? 0;
    const common = { organizationId, subscriptionId, customerId, currency, sequence, status, quantity };
    if (kind !== null || statusBefore !== status || quantityBefore !== quantity)
      movements.push({ ...common, at, kind, amount, statusBefore, quantityBefore });
    states.set(subscriptionId, { ...common, mrr, hasPaid: mrr > 0 || before?.hasPaid === true });
  }
  const changed = new Set(uncounted.map(({ subscriptionId }) => subscriptionId));
  return { movements, states: [...states.values()].filter(({ subscriptionId }) => changed.has(subscriptionId)) };
}
