import { exponentOf } from "./currency.ts";
import type { Amount } from "./money.ts";

/** An amount in the currency's major unit, without a sign of the currency: `-23.71` for -2371 and `usd`. */
export function majorUnits(amount: Amount, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = String(Math.abs(amount)).padStart(exponent + 1, "0");
  const sign = amount < 0 ? "-" : "";
  return sign + (exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`);
}
