import { exponentOf } from "../../domain/currency.ts";
import { MAX_AMOUNT, type Amount } from "../../domain/money.ts";

const AMOUNT = /^(\d{1,12})(?:[.,](\d{1,4}))?$/;

/** An amount that was typed in major units, such as `50.00`, as minor units: 0 or more. Empty: null. */
export function readAmount(typed: string, currency: string): { amount: Amount | null } | { fault: string } {
  const text = typed.trim();
  if (text === "") return { amount: null };
  const [, whole, decimals = ""] = AMOUNT.exec(text) ?? [];
  const exponent = exponentOf(currency);
  if (whole === undefined) return { fault: "Enter an amount such as 50.00, without a currency." };
  if (decimals.length > exponent) {
    const most = exponent === 0 ? "no decimals" : `at most ${exponent} decimals`;
    return { fault: `An amount in ${currency.toUpperCase()} has ${most}.` };
  }
  const amount = Number(whole + decimals.padEnd(exponent, "0"));
  return amount > MAX_AMOUNT ? { fault: "Enter a smaller amount." } : { amount };
}
