import type { Instant } from "../calendar.ts";
import { multiplyDivide, type Amount } from "../money.ts";

export type ProrationBehavior = "invoice_now" | "next_invoice" | "next_period" | "none";
export const PRORATION_BEHAVIORS = ["invoice_now", "next_invoice", "next_period", "none"] as const satisfies readonly ProrationBehavior[];

export type Span = { currentPeriodStart: Instant; currentPeriodEnd: Instant };

/**
 * The part of `rate` that the rest of the period is worth: round(f × rate), f = (end − now) ÷ (end − start) within [0, 1], exact
 * until it is rounded once (rules P, M2).
 */
export function restOf(rate: Amount, span: Span, now: Instant): Amount {
  const length = span.currentPeriodEnd - span.currentPeriodStart;
  const left = Math.min(Math.max(span.currentPeriodEnd - now, 0), length);
  return multiplyDivide(rate, left, length);
}

/**
 * The part of `amount` for what has passed of a span by `now`: round(amount × (now − start) ÷ (end − start)), 0 before the span begins and
 * the whole amount once it is over (rules S4, M2).
 */
export function passedOf(amount: Amount, { start, end }: { start: Instant; end: Instant }, now: Instant): Amount {
  return now >= end ? amount : multiplyDivide(amount, Math.max(now - start, 0), end - start);
}
