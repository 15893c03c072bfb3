import { addDays, addMonths, beginOfDay, type Instant } from "../calendar.ts";

export const STEPS = ["day", "month"] as const;
export type Step = (typeof STEPS)[number];

/** The most days that a caller may ask for at once. */
export const MOST_DAYS = 366;
/** The most months that a caller may ask for at once. */
export const MOST_MONTHS = 120;

/**
 * A day or a month of the Organization's calendar: the dates `first` up to but without `next`, and the instants
 * [start, end). `name` is `2026-10-31` or `2026-10`.
 */
export type Bucket = { name: string; first: string; next: string; start: Instant; end: Instant };

const monthOf = (date: string) => addMonths(date, 0);

/** The days or months from `from` to `to`, both included, in a time zone. Empty if `to` is before `from`. */
export function bucketsOf(step: Step, { from, to }: { from: string; to: string }, zone: string): Bucket[] {
  const buckets: Bucket[] = [];
  const last = step === "day" ? to : monthOf(to);
  const after = (date: string) => (step === "day" ? addDays(date, 1) : addMonths(date, 1));
  for (let first = step === "day" ? from : monthOf(from); first <= last; first = after(first)) {
    const next = after(first);
    const [start, end] = [beginOfDay(first, zone), beginOfDay(next, zone)];
    buckets.push({ name: step === "day" ? first : first.slice(0, 7), first, next, start, end });
  }
  return buckets;
}

/** The first date of the last 30 days or 12 months up to `to`. */
export function usualFrom(step: Step, to: string): string {
  return step === "day" ? addDays(to, -29) : addMonths(to, -11);
}
