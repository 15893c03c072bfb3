import { formatMoney } from "../domain/currency.ts";

/** An amount on a page, with a minus sign of the width of a digit. */
export function money(amount: number, currency: string): string {
  return formatMoney(amount, currency).replace("-", "−");
}
