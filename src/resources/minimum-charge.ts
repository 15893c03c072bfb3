import { formatMoney } from "../domain/currency.ts";
import type { Money } from "../domain/refusal.ts";

/** The code and the message of a price whose `quantity` units can't be charged (rule M5a). */
export function belowMinimumCharge({ currency, amount }: Money, quantity: number): [code: string, message: string] {
  const least = `${amount}, which is ${formatMoney(amount, currency)}`;
  const unit = "Amounts are in the currency's minor unit (cents for usd).";
  return quantity === 1
    ? ["below_minimum_charge", `A price in ${currency} is 0 or at least ${least}. ${unit}`]
    : [
        "total_below_minimum_charge",
        `The price × ${quantity}, the smallest quantity, in ${currency} is 0 or at least ${least}. ${unit}`,
      ];
}
