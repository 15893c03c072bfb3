import type { Instant } from "../calendar.ts";
import { multiplyDivide, type Amount } from "../money.ts";

export type ProrationBehavior = "invoice_now" | "next_invoice" | "next_period" | "none";
export const PRORATION_BEHAVIORS = [
  "invoice_now",
  "next_invoice",
  "next_period",
  "none",
] as const satisfies readonly ProrationBehavior[];

export type Span = { currentPeriodStart: Instant; currentPeriodEnd: Instant };

/**
 * The worth of the rest of the period at `rate`: round(f × rate), with f = (end − now) ÷ (end − start) from 0 to 1.
 * The amount is rounded once, at the end (rules P, M2).
 */
export function restOf(rate: Amount, span: Span, now: Instant): Amount {
  const length = span.currentPeriodEnd - span.currentPeriodStart;
  const left = Math.min(Math.max(span.currentPeriodEnd - now, 0), length);
  return multiplyDivide(rate, left, length);
}

/**
 * The part of `amount` for the time of a span that has passed by `now`: round(amount × (now − start) ÷ (end −
 * start)). The part is 0 before the span begins, and the whole amount once the span is over (rules S4, M2).
 */
export function passedOf(amount: Amount, { start, end }: { start: Instant; end: Instant }, now: Instant): Amount {
  return now >= end ? amount : multiplyDivide(amount, Math.max(now - start, 0), end - start);
}
