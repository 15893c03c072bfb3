import type { Draw } from "./draw.ts";
import { MINIMUM, ONE_UNIT, type Every, type Limits, type PlannedDiscount, type PlannedProduct } from "./history.ts";

function drawEvery(draw: Draw, hasty: boolean): Every {
  const interval = draw.weighted(
    hasty ? { day: 30, week: 50, month: 20, year: 0 } : { day: 4, week: 15, month: 60, year: 21 },
  );
  const counts = { day: [1, 7, 10, 30], week: [1, 1, 2, 5], month: [1, 1, 1, 2, 3, 6], year: [1, 1, 2] }[interval];
  return { interval, count: draw.pick(counts) };
}

/** 0, or at least the minimum charge: round prices, odd ones, and small ones that differ by little. */
export function drawPrice(draw: Draw, currency: string): number {
  const minimum = MINIMUM[currency]!;
  if (draw.chance(0.12)) return 0;
  const kind = draw.weighted({ small: 25, round: 35, crooked: 40 });
  if (kind === "small") return minimum + draw.int(0, minimum);
  return kind === "round" ? minimum * 2 * draw.int(2, 60) : minimum + draw.int(1, minimum * 200);
}

/** A price in this currency, and sometimes one in another currency. */
export function drawPrices(draw: Draw, currency: string): Record<string, number> {
  const other = draw.pick(Object.keys(MINIMUM).filter((code) => code !== currency));
  const prices = { [currency]: drawPrice(draw, currency) };
  return draw.chance(0.25) ? { ...prices, [other]: drawPrice(draw, other) } : prices;
}

const YEAR: Every = { interval: "year", count: 1 };

/** Most Products are sold in several units. */
export function drawLimits(draw: Draw): Limits {
  if (draw.chance(0.25)) return ONE_UNIT;
  return { minimum: draw.pick([1, 1, 2, 3]), maximum: draw.pick([3, 10, 12, 100_000]) };
}

/**
 * With `hasty`, periods are short, so that several are owed before one is paid. The first two recurring Products have
 * the same interval. The third one is often yearly, as a target of changes.
 */
export function drawProduct(draw: Draw, currency: string, hasty: boolean, number: number): PlannedProduct {
  const once = number > 2 && draw.chance(0.12);
  const usual: Every = hasty ? { interval: "week", count: 1 } : { interval: "month", count: 1 };
  const isYear = number === 2 && !hasty && draw.chance(0.5);
  const every = once ? null : number < 2 ? usual : isYear ? YEAR : drawEvery(draw, hasty);
  const group = draw.weighted({ plans: 70, extras: 18, none: 12 });
  return {
    every,
    quantity: drawLimits(draw),
    group: once || group === "none" ? null : group,
    trialDays: !once && draw.chance(0.3) ? draw.pick([1, 3, 7, 14, 30]) : null,
    trialCard: draw.chance(0.4) ? "optional" : "required",
    prices: drawPrices(draw, currency),
    benefits: draw.chance(0.3) ? [0, number + 1] : [number + 1],
  };
}

/** A discount, which may begin or end between `start` and `end`. */
export function drawDiscount(
  draw: Draw,
  currency: string,
  products: PlannedProduct[],
  start: number,
  end: number,
): PlannedDiscount {
  const duration = draw.weighted({ once: 25, repeating: 50, forever: 25 });
  const amount = draw.int(1, MINIMUM[currency]! * 30);
  const covered = products.flatMap((_, number) => (draw.chance(0.6) ? [number] : []));
  const at = () => start + draw.int(0, end - start);
  const until = draw.chance(0.15) ? at() : null;
  return {
    off: draw.chance(0.6)
      ? { basisPoints: draw.pick([10_000, 5000, 3333, 1250, 1, draw.int(1, 9999)]) }
      : { amount, currency },
    duration,
    months: duration === "repeating" ? draw.pick([1, 2, 2, 3, 4, 11, 14]) : null,
    most: draw.chance(0.3) ? draw.int(1, 3) : null,
    from: until === null && draw.chance(0.1) ? at() : null,
    until,
    products: covered.length === 0 || draw.chance(0.6) ? null : covered,
  };
}
