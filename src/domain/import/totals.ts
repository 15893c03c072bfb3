import type { Amount } from "../money.ts";
import type { UpcomingInvoice } from "./foreign.ts";

/** The next invoice here, before the balance. `tax`: on top of the prices or in them. */
export type OwnInvoice = { subtotal: Amount; discount: Amount; tax: Amount; total: Amount };

/**
 * Why the totals of the next invoice differ. `no_invoice`: only one of the two systems will make one. `price`,
 * `discount`, `tax`: this part of the sum differs. `rounding`: a discount or a tax differs by one minor unit.
 */
export const TOTAL_CAUSES = ["no_invoice", "price", "discount", "tax", "rounding"] as const;
export type TotalCause = (typeof TOTAL_CAUSES)[number];

/** The causes of a difference; none if the totals agree to the minor unit. */
export function totalCauses(theirs: UpcomingInvoice | null, ours: OwnInvoice | null): TotalCause[] {
  if (theirs === null || ours === null) return theirs === ours ? [] : ["no_invoice"];
  if (theirs.total === ours.total) return [];
  const by = (name: "discount" | "tax"): TotalCause[] => {
    const difference = Math.abs(theirs[name] - ours[name]);
    if (difference === 0) return [];
    return [difference === 1 ? "rounding" : name];
  };
  const causes = [...(theirs.subtotal === ours.subtotal ? [] : ["price" as const]), ...by("discount"), ...by("tax")];
  // Tax within the price here, and on top of it there, has the same amount and another total.
  return causes.length === 0 ? ["tax"] : [...new Set(causes)];
}
