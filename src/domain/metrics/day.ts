import type { Amount } from "../money.ts";
import type { SubscriptionStatus } from "../model/subscription.ts";
import type { Movement, MovementKind } from "./movement.ts";

/** A Subscription that has ended is in no count. */
export const COUNTED_STATUSES = [
  "active",
  "trialing",
  "past_due",
  "paused",
] as const satisfies readonly SubscriptionStatus[];
export type CountedStatus = (typeof COUNTED_STATUSES)[number];

/**
 * A figure of one day and currency (rule R5). For a kind of movement: the sum of the `amount`s, and the number of
 * `subscriptions` that moved. For a status: the differences of the number of Subscriptions with this status, and of the
 * number of their units (rule R9).
 */
export type DayFigure = {
  organizationId: string;
  /** A date such as `2026-10-31`, in the Organization's time zone of the time of counting. */
  day: string;
  currency: string;
  measure: MovementKind | CountedStatus;
  amount: Amount;
  subscriptions: number;
  /** 0 for a kind of movement. */
  units: number;
};

export type DatedMovement = Movement & { day: string };

const isCounted = (status: SubscriptionStatus | null): status is CountedStatus =>
  COUNTED_STATUSES.some((each) => each === status);

/** Sums movements up by day, currency and measure. Differences of 0 are left out. */
export function figuresOf(movements: readonly DatedMovement[]): DayFigure[] {
  const figures = new Map<string, DayFigure>();
  const add = (
    { organizationId, day, currency }: DatedMovement,
    measure: DayFigure["measure"],
    { amount = 0, subscriptions = 0, units = 0 }: Partial<Pick<DayFigure, "amount" | "subscriptions" | "units">>,
  ) => {
    const key = [organizationId, day, currency, measure].join(" ");
    const sum = figures.get(key) ?? { organizationId, day, currency, measure, amount: 0, subscriptions: 0, units: 0 };
    figures.set(key, {
      ...sum,
      amount: sum.amount + amount,
      subscriptions: sum.subscriptions + subscriptions,
      units: sum.units + units,
    });
  };
  for (const movement of movements) {
    const { kind, amount, status, statusBefore, quantity, quantityBefore } = movement;
    if (kind !== null) add(movement, kind, { amount, subscriptions: 1 });
    if (isCounted(statusBefore)) add(movement, statusBefore, { subscriptions: -1, units: -quantityBefore });
    if (isCounted(status)) add(movement, status, { subscriptions: 1, units: quantity });
  }
  const isZero = ({ amount, subscriptions, units }: DayFigure) => amount === 0 && subscriptions === 0 && units === 0;
  return [...figures.values()].filter((figure) => !isZero(figure));
}
