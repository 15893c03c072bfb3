import { limitsOf, type Product } from "../../domain/model/product.ts";
import { unitWord, type QuantityRange, type UnitName } from "../../domain/model/quantity.ts";
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
  const word = unitWord(product.unitName, limitsOf(product).maximum, "en");
  return word === null ? numberRange(limitsOf(product)) : `${numberRange(limitsOf(product))} ${word}`;
}

/** As `rangeInWords`, in a sentence: limits without a noun are those of units. */
export function namedRange({ unitName, ...limits }: QuantityRange & { unitName: UnitName | null }): string {
  const word = unitWord(unitName, limits.maximum, "en") ?? (limits.maximum === 1 ? "unit" : "units");
  return `${numberRange(limits)} ${word}`;
}
