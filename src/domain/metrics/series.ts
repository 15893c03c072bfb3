import type { Amount } from "../money.ts";
import { COUNTED_STATUSES, type CountedStatus, type DayFigure } from "./day.ts";
import { MOVEMENT_KINDS, type MovementKind } from "./movement.ts";
import type { Bucket } from "./span.ts";

/**
 * The revenue of a day or a month by the ledger (rule R7), in minor units. `sales`: invoices less void ones, with tax.
 * `refunds`: with tax. `tax`: the tax on both. `recovered`: the money of invoices of which an earlier charge had
 * failed (rule R8).
 */
export type Revenue = { sales: Amount; refunds: Amount; tax: Amount; recovered: Amount; recoveredPayments: number };

/** Sales less refunds and tax: the movement of the ledger's account `revenue`. */
export const netOf = ({ sales, refunds, tax }: Revenue): Amount => sales - refunds - tax;

type Moved = { amount: Amount; subscriptions: number };

/**
 * The figures of a day or a month. `mrr`, `subscriptions` and `units` are those at its end. `units`: the sum of the
 * quantities of the Subscriptions (rule R9).
 */
export type Point = Bucket & {
  mrr: Amount;
  subscriptions: Record<CountedStatus, number>;
  units: Record<CountedStatus, number>;
  movements: Record<MovementKind, Moved>;
  revenue: Revenue;
};

/** A figure of a day, or of all days before the first bucket (`day` null). */
export type SummedFigure = Pick<DayFigure, "measure" | "amount" | "subscriptions" | "units"> & { day: string | null };

export const NO_REVENUE: Revenue = { sales: 0, refunds: 0, tax: 0, recovered: 0, recoveredPayments: 0 };

const isKind = (measure: DayFigure["measure"]): measure is MovementKind =>
  MOVEMENT_KINDS.some((kind) => kind === measure);

function each<Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
}

/** `opening`: the MRR before the first point. */
export type Series = { opening: Amount; points: Point[] };

/**
 * The course of a currency's figures over the buckets, which follow each other. `figures`: all up to the end of the
 * last bucket. `revenues`: by the number of the bucket, from 0.
 */
export function seriesOf(
  buckets: readonly Bucket[],
  figures: readonly SummedFigure[],
  revenues: ReadonlyMap<number, Revenue>,
): Series {
  let mrr = 0;
  const subscriptions = each(COUNTED_STATUSES, () => 0);
  const units = each(COUNTED_STATUSES, () => 0);
  const take = (taken: readonly SummedFigure[]) => {
    const movements = each(MOVEMENT_KINDS, (): Moved => ({ amount: 0, subscriptions: 0 }));
    for (const { measure, amount, subscriptions: count, units: counted } of taken) {
      if (!isKind(measure)) {
        subscriptions[measure] += count;
        units[measure] += counted;
      } else {
        mrr += amount;
        movements[measure].amount += amount;
        movements[measure].subscriptions += count;
      }
    }
    return movements;
  };
  take(figures.filter(({ day }) => day === null));
  const opening = mrr;
  const points = buckets.map((bucket, n): Point => {
    const movements = take(figures.filter(({ day }) => day !== null && day >= bucket.first && day < bucket.next));
    const ends = { mrr, subscriptions: { ...subscriptions }, units: { ...units } };
    return { ...bucket, ...ends, movements, revenue: revenues.get(n) ?? NO_REVENUE };
  });
  return { opening, points };
}

/** The sums over all points of a series. */
export function totalsOf({ points }: Series): Pick<Point, "movements" | "revenue"> {
  const sum = (of: (point: Point) => number) => points.reduce((running, point) => running + of(point), 0);
  const movements = each(MOVEMENT_KINDS, (kind) => ({
    amount: sum((point) => point.movements[kind].amount),
    subscriptions: sum((point) => point.movements[kind].subscriptions),
  }));
  const names = Object.keys(NO_REVENUE) as (keyof Revenue)[];
  return { movements, revenue: each(names, (name) => sum((point) => point.revenue[name])) };
}
