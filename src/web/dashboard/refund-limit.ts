import { exponentOf } from "../../domain/currency.ts";
import { majorUnits } from "../../domain/major-units.ts";
import { MAX_AMOUNT } from "../../domain/money.ts";
import type { Organization } from "../../domain/organization/organization.ts";

const AMOUNT = /^(\d{1,12})(?:[.,](\d{1,4}))?$/;

/** A typed amount in major units as minor units. Empty: null. */
export function readLimit(typed: string, currency: string): { limit: number | null } | { fault: string } {
  const text = typed.trim();
  if (text === "") return { limit: null };
  const [, whole, decimals = ""] = AMOUNT.exec(text) ?? [];
  const exponent = exponentOf(currency);
  if (whole === undefined) return { fault: "Enter an amount such as 50.00, without a currency." };
  if (decimals.length > exponent) {
    const most = exponent === 0 ? "no decimals" : `at most ${exponent} decimals`;
    return { fault: `An amount in ${currency.toUpperCase()} has ${most}.` };
  }
  const limit = Number(whole + decimals.padEnd(exponent, "0"));
  if (limit === 0) return { fault: "Enter an amount above 0, or leave the field empty." };
  return limit > MAX_AMOUNT ? { fault: "Enter a smaller amount." } : { limit };
}

/** The limit as the form shows it, in major units. */
export function writtenLimit({ supportRefundLimit: limit, defaultCurrency }: Organization): string {
  return limit === null ? "" : majorUnits(limit, defaultCurrency);
}
