import type { Every, PlannedDiscount } from "./history.ts";
import { addWall, periodFrom, share } from "./reference-math.ts";
import type { Held, Part, Sub, Terms } from "./reference-model.ts";

// The discount of a price and its duration (docs/rules.md: X1).

const ALL: Part = { covered: 1, whole: 1 };
const NONE: Part = { covered: 0, whole: 1 };
type PeriodSpan = { from: number; to: number };

/** The discounted part of a period (rule X1). A one-time Product (`span` null) is discounted whole. */
function partOf({ terms, begun, until, agreed }: Held, span: PeriodSpan | null): Part {
  if (agreed && (!begun || (agreed.from === span?.from && agreed.to === span?.to))) return agreed;
  if (until === null || span === null) return ALL;
  if (span.from >= until) return NONE;
  return terms.duration === "repeating" && until < span.to
    ? { covered: until - span.from, whole: span.to - span.from }
    : ALL;
}

/** The discount of a price, for the discounted part of the period; 0 if the Product is not covered. */
export function takenOff(
  held: Held | null,
  { product, amount }: Pick<Terms, "product" | "amount">,
  span: PeriodSpan | null,
): number {
  if (!held || (held.terms.products && !held.terms.products.includes(product))) return 0;
  const { covered, whole } = partOf(held, span);
  const { off } = held.terms;
  if ("amount" in off) return share(Math.min(off.amount, amount), covered, whole);
  return share(amount, BigInt(off.basisPoints) * BigInt(covered), 10_000n * BigInt(whole));
}

export function isFree(held: Held | null, terms: Pick<Terms, "product" | "amount">): boolean {
  return terms.amount === 0 || (held?.terms.duration === "forever" && takenOff(held, terms, null) === terms.amount);
}

/** A discount begins with the first period that is invoiced. */
export function begin(held: Held | null, from: number, zone: string): Held | null {
  if (!held) return null;
  const { duration, months } = held.terms;
  if (held.begun) return duration === "once" ? { ...held, until: Math.min(held.until!, from) } : held;
  const until =
    duration === "once" ? from + 1 : duration === "repeating" ? addWall(from, zone, "month", months!) : null;
  const counted = duration === "repeating" ? { at: from, months: months!, zone } : null;
  return { ...held, begun: true, until, counted, agreed: null };
}

/**
 * Periods that ended at `from` go on at `to`, and are counted from there. Whole months that are left stay whole (rule
 * X1d).
 */
export function recount(held: Held | null, from: number, to: number, zone: string): Held | null {
  if (!held?.counted) return held;
  const { at, months, zone: before } = held.counted;
  for (let used = 0; used <= months; used++) {
    if (addWall(at, before, "month", used) !== from) continue;
    const left = months - used;
    return { ...held, until: addWall(to, zone, "month", left), counted: { at: to, months: left, zone } };
  }
  return { ...held, until: held.until! + to - from };
}

/** The discount of the next period (rule X4). */
export const later = ({ discount, nextDiscount }: Pick<Sub, "discount" | "nextDiscount">): Held | null =>
  nextDiscount ? nextDiscount.held : discount;

/** The discount of a period that begins at `at`. `from`: periods are counted anew after one that ended then; or null. */
export function turn(
  sub: Pick<Sub, "discount" | "nextDiscount">,
  at: number,
  zone: string,
  from: number | null,
): Held | null {
  const goesOn = sub.nextDiscount || from === null ? later(sub) : recount(sub.discount, from, at, zone);
  return begin(goesOn, at, zone);
}

/** The promise of a Checkout for a first period that would begin now. */
export function promise(terms: PlannedDiscount, every: Every | null, now: number, zone: string): Held {
  const held: Held = { terms, begun: false, until: null, counted: null, agreed: null };
  if (every === null || terms.duration !== "repeating") return held;
  const { from, to } = periodFrom(now, { anchor: now, zone, n: 1 }, every);
  return { ...held, agreed: { ...partOf(begin(held, now, zone)!, { from, to }), from: null, to: null } };
}

/** Begins a discount with the first period that a Checkout sold, as the Checkout promised. */
export function beginPromised(held: Held | null, { from, to }: PeriodSpan, zone: string): Held | null {
  const begun = begin(held, from, zone);
  return begun && { ...begun, agreed: held!.agreed && { ...held!.agreed, from, to } };
}
