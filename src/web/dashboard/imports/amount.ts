import { isCurrency } from "../../../domain/currency.ts";
import { majorUnits } from "../../../domain/major-units.ts";
import type { Amount } from "../../../domain/money.ts";
import { moneyText } from "../components/cells.ts";

/** An amount of another system. A currency that Billow does not know has no known decimals. */
export const amountText = (amount: Amount, currency: string): string =>
  isCurrency(currency) ? moneyText(amount, currency) : `${amount} ${currency.toUpperCase()}`;

/** As `amountText`, for a CSV; null: there is no amount. */
export const amountCell = (amount: Amount | null, currency: string): string | null =>
  amount === null ? null : isCurrency(currency) ? majorUnits(amount, currency) : String(amount);
