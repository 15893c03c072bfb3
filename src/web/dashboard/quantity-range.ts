import { limitsOf, type Product } from "../../domain/model/product.ts";
import { unitWord, type QuantityRange } from "../../domain/model/quantity.ts";
import { ENGLISH } from "../../texts/words.ts";

/** Whether a Product is sold otherwise than as one unit without a noun. */
export function isSoldByQuantity(product: Product): boolean {
  const { minimum, maximum } = limitsOf(product);
  return minimum !== 1 || maximum !== 1 || product.unitName !== null;
}

const numbers = new Intl.NumberFormat(ENGLISH.locale);

/** `2 to 50`, `1 to 100,000`, `1`. */
export const numberRange = ({ minimum, maximum }: QuantityRange): string =>
  minimum === maximum ? numbers.format(minimum) : `${numbers.format(minimum)} to ${numbers.format(maximum)}`;

/** The quantities in which a Product is sold: `2 to 50 seats`, `1 seat`, `1 to 100,000`. */
export function rangeInWords(product: Product): string {
  const limits = limitsOf(product);
  const word = unitWord(product.unitName, limits.maximum, "en");
  return word === null ? numberRange(limits) : `${numberRange(limits)} ${word}`;
}
