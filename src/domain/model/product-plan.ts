import type { Interval, Period } from "../calendar.ts";
import { periodOf, type Product } from "./product.ts";

/** Recurring Products that buyers take for one plan, such as Pro by month and by year; the shortest period first. */
export type Plan = { name: string; variants: Product[] };

const DAYS: Record<Interval, number> = { day: 1, week: 7, month: 30, year: 365 };
const lengthOf = (product: Product): number => {
  const { interval, intervalCount } = periodOf(product)!;
  return DAYS[interval] * intervalCount;
};
const sameRhythm = (one: Period, other: Period): boolean =>
  one.interval === other.interval && one.intervalCount === other.intervalCount;

const nameKey = ({ name }: Product): string => name.normalize("NFKC").trim().toLowerCase();
const benefitKey = ({ benefitIds }: Product): string => [...benefitIds].sort().join(" ");

/** Whether each variant of both plans has a period of its own. */
function fit(one: Product[], other: Product[]): boolean {
  return !one.some((variant) => other.some((each) => sameRhythm(periodOf(variant)!, periodOf(each)!)));
}

/** Joins plans with the same key, in the order of the Products. Null: the Product is joined with no other one. */
function join(plans: readonly Product[][], keyOf: (product: Product) => string | null): Product[][] {
  const joined: Product[][] = [];
  for (const plan of plans) {
    const keys = plan.map(keyOf).filter((key) => key !== null);
    const found = joined.find((each) => each.some((variant) => keys.includes(keyOf(variant)!)) && fit(each, plan));
    if (found) found.push(...plan);
    else joined.push([...plan]);
  }
  return joined;
}

/**
 * The plans among the recurring Products of one group. Two Products are variants of one plan if their periods differ,
 * and if they have the same name (letter case does not count) or the same Benefits, of which there is at least one. The
 * name decides first. A plan has the name of its variant with the shortest period.
 */
export function plansOf(products: readonly Product[]): Plan[] {
  const single = products.filter((product) => periodOf(product) !== null).map((product) => [product]);
  const named = join(single, nameKey);
  const plans = join(named, (product) => benefitKey(product) || null);
  return plans.map((plan) => {
    const variants = plan.sort((one, other) => lengthOf(one) - lengthOf(other));
    return { name: variants[0]!.name, variants };
  });
}

/** The Products of a catalogue as people think of them. `group` null: its Products stand alone. */
export type GroupOfPlans = { group: string | null; plans: Plan[] };

/** The recurring Products by group. A Product without a group is a plan of its own. */
export function plansByGroup(products: readonly Product[]): GroupOfPlans[] {
  const recurring = products.filter(({ interval }) => interval !== null);
  const byGroup = Map.groupBy(recurring, ({ groupKey }) => groupKey);
  const alone = byGroup.get(null) ?? [];
  byGroup.delete(null);
  const groups: GroupOfPlans[] = [...byGroup].map(([group, members]) => ({ group, plans: plansOf(members) }));
  const singles = alone.map((product) => ({ name: product.name, variants: [product] }));
  return singles.length === 0 ? groups : [...groups, { group: null, plans: singles }];
}
