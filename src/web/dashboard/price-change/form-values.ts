import { formatInstant } from "../../../domain/calendar.ts";
import { isCurrency } from "../../../domain/currency.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { Fault } from "../../../errors.ts";
import { CreatePriceChangeParams } from "../../../resources/price-change.ts";
import { fault, parsedForm, typedNumber } from "../form-values.ts";
import { typed, type Sent } from "../sent-form.ts";
import { readAmount, typedDay } from "../typed-values.ts";

export const BEFORE = "only.subscribedBefore";
export const BELOW = "only.priceBelow";

/** The chosen currencies. A Product with one price has no choice. */
const chosenCurrencies = ({ prices }: Product, { fields }: Sent): string[] =>
  prices.length === 1 ? [prices[0]!.currency] : fields.getAll("currencies");

/** The price that is typed as a limit, in the one chosen currency. */
function readBelow(sent: Sent, currencies: readonly string[]): { priceBelow?: number; faults: Fault[] } {
  const text = typed(sent, BELOW);
  if (text === "") return { faults: [] };
  const [currency, ...others] = currencies;
  if (currency === undefined || !isCurrency(currency) || others.length > 0)
    return { faults: [fault(BELOW, "Choose one currency for this limit.")] };
  const read = readAmount(text, currency);
  if ("fault" in read) return { faults: [fault(BELOW, read.fault)] };
  return { priceBelow: read.amount!, faults: [] };
}

/** The body of a request from the fields of the form. @throws AppError 422 */
export function readPriceChange(product: Product, sent: Sent): CreatePriceChangeParams {
  const currencies = chosenCurrencies(product, sent);
  const day = typedDay(sent, BEFORE);
  const { faults, ...below } = readBelow(sent, currencies);
  const none = currencies.length === 0 ? [fault("currencies", "Choose a currency.")] : [];
  const only = { ...(day !== null && { subscribedBefore: formatInstant(day) }), ...below };
  const noticeDays = typedNumber(sent, "noticeDays");
  const body = {
    currencies,
    ...(Object.keys(only).length > 0 && { only }),
    ...(noticeDays !== null && { noticeDays }),
    consent: typed(sent, "consent"),
  };
  return parsedForm(CreatePriceChangeParams, body, { faults: [...none, ...faults] });
}
