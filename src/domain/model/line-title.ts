import { formatMoney } from "../currency.ts";
import { soldUnitsOf, type LineBasis } from "./line-basis.ts";
import { unitWord, type Units } from "./quantity.ts";

/**
 * The contents of a line's description, for any language. `rest`: a change bills the rest of the period. `unused`: a
 * change credits the rest of the period. `toCancellation`: `cancel-now` shortened the line (rule S4). `units`: the
 * units with the price of one unit, in minor units; null: the line is of one unit without a noun (rule Q5).
 */
export type LineTitle = {
  productName: string;
  part: "whole" | "rest" | "unused";
  toCancellation: boolean;
  units: (Units & { unitAmount: number }) | null;
};

const PARTS = { period: "whole", debit: "rest", credit: "unused" } as const;

function unitsBy(basis: LineBasis): LineTitle["units"] {
  const { unitAmount, ...units } = soldUnitsOf(basis);
  return unitAmount === null || (units.quantity === 1 && units.unitName === null) ? null : { ...units, unitAmount };
}

const titleBy = (productName: string, basis: LineBasis): LineTitle | null => {
  if (basis.kind !== "passed")
    return { productName, part: PARTS[basis.kind], toCancellation: false, units: unitsBy(basis) };
  const whole = basis.of && titleBy(productName, basis.of);
  return whole && { ...whole, toCancellation: true };
};

/** Null: the line is older than its facts, and only its description is known. */
export function titleOf({
  productName,
  basis,
}: {
  productName: string | null;
  basis: LineBasis | null;
}): LineTitle | null {
  return productName === null || basis === null ? null : titleBy(productName, basis);
}

const SUFFIXES = { whole: "", rest: ", rest of the period", unused: ", unused rest of the period" } as const;

const wholeNumbers = new Intl.NumberFormat("en");

/** `, 5 seats × US$12.00`; `, 5 × US$12.00` without a noun. */
function unitsInWords(units: LineTitle["units"], currency: string): string {
  if (units === null) return "";
  const noun = unitWord(units.unitName, units.quantity, "en");
  const number = wholeNumbers.format(units.quantity);
  return `, ${noun === null ? number : `${number} ${noun}`} × ${formatMoney(units.unitAmount, currency)}`;
}

/** The description in English, which the API shows (rules I2c, Q5). */
export function descriptionOf({ productName, part, toCancellation, units }: LineTitle, currency: string): string {
  const end = toCancellation ? " up to the cancellation" : "";
  return `${productName}${unitsInWords(units, currency)}${SUFFIXES[part]}${end}`;
}
