import { LANGUAGES, type Language } from "../locale.ts";
import { MAX_AMOUNT, multiplyDivide, type Amount } from "../money.ts";

/** The largest quantity that can be sold at once (rule Q1). */
export const MOST_UNITS = 100_000;

/** The quantities in which something is sold: 1 ≤ minimum ≤ maximum ≤ 100,000 (rule Q1). */
export type QuantityRange = { minimum: number; maximum: number };

/** The noun of one unit and of several: `seat`, `seats`. */
export type UnitForms = { one: string; other: string };
/** The nouns by language. At least one language has them (rule Q2). */
export type UnitName = Partial<Record<Language, UnitForms>>;

/** A number of units, and their noun; null: the unit has no name. */
export type Units = { quantity: number; unitName: UnitName | null };

/** One unit without a noun, as every sale was before quantities. */
export const ONE_UNIT: Units = { quantity: 1, unitName: null };

export const isOffered = ({ minimum, maximum }: QuantityRange, quantity: number): boolean =>
  quantity >= minimum && quantity <= maximum;

/** The quantity of the range that is nearest to `quantity`: the quantity itself if it is offered (rules Q9d, Q9e). */
export const nearestOffered = ({ minimum, maximum }: QuantityRange, quantity: number): number =>
  Math.min(Math.max(quantity, minimum), maximum);

/** The price of one unit, from the total of a period or of a purchase. The quotient is exact (rule Q4). */
export const unitAmountOf = ({ amount, quantity }: { amount: Amount; quantity: number }): Amount =>
  quantity === 1 ? amount : multiplyDivide(amount, 1, quantity);

/** The total of `quantity` units in minor units; null: more than an amount can be (rules M1, Q4). */
export function totalOf(unitAmount: Amount, quantity: number): Amount | null {
  const total = unitAmount * quantity;
  return total <= MAX_AMOUNT ? total : null;
}

/**
 * The noun in a language, else in the first one of `LANGUAGES` that has a noun: English comes first (rule Q2).
 * `language` null: the reader's language is not known.
 */
export function unitFormsIn(unitName: UnitName, language: Language | null): UnitForms {
  const order = [...(language === null ? [] : [language]), ...LANGUAGES];
  return unitName[order.find((each) => unitName[each] !== undefined)!]!;
}

/** The noun for this quantity in a language, by `unitFormsIn`; null: the unit has no name. */
export function unitWord(unitName: UnitName | null, quantity: number, language: Language | null): string | null {
  if (unitName === null) return null;
  const { one, other } = unitFormsIn(unitName, language);
  return quantity === 1 ? one : other;
}
