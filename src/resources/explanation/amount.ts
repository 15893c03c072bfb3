import type { Instant } from "../../domain/calendar.ts";

/**
 * One amount with its rule, its inputs (amounts in minor units, instants and spans in milliseconds) and its arithmetic.
 * `amount` is the value of `expression`, in which `round` rounds half away from zero. `text` says the same in words.
 */
export type ExplainedAmount = {
  amount: number;
  rule: string;
  inputs: Record<string, number>;
  expression: string;
  text: string;
};

/**
 * Writes amounts in the currency of the invoice, and dates in `zone`. `noticedAt`: the notice of a new price that
 * begins with the invoice's period (rule N5); null: no new price begins.
 */
export type Words = {
  zone: string;
  money(amount: number): string;
  date(at: Instant): string;
  noticedAt: Instant | null;
};
