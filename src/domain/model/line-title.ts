import type { InvoiceLine, LineBasis } from "./invoice.ts";

/**
 * The contents of a line's description, for any language. `rest`: a change bills the rest of the period. `unused`: a
 * change credits the rest of the period. `toCancellation`: `cancel-now` shortened the line (rule S4).
 */
export type LineTitle = { productName: string; part: "whole" | "rest" | "unused"; toCancellation: boolean };

const PARTS = { period: "whole", debit: "rest", credit: "unused" } as const;

const titleBy = (productName: string, basis: LineBasis): LineTitle | null => {
  if (basis.kind !== "passed") return { productName, part: PARTS[basis.kind], toCancellation: false };
  const whole = basis.of && titleBy(productName, basis.of);
  return whole && { ...whole, toCancellation: true };
};

/** Null: the line is older than its facts, and only its description is known. */
export function titleOf({ productName, basis }: Pick<InvoiceLine, "productName" | "basis">): LineTitle | null {
  return productName === null || basis === null ? null : titleBy(productName, basis);
}

const SUFFIXES = { whole: "", rest: ", rest of the period", unused: ", unused rest of the period" } as const;

/** The description in English, which the API shows. */
export function descriptionOf({ productName, part, toCancellation }: LineTitle): string {
  return `${productName}${SUFFIXES[part]}${toCancellation ? " up to the cancellation" : ""}`;
}
