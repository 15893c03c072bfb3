import type { Instant } from "../calendar.ts";
import type { DiscountBasis } from "./discount.ts";
import { unitAmountOf, type UnitName, type Units } from "./quantity.ts";

/** The units of a line. Both are absent for one unit without a noun, so such lines read as before (rule Q5). */
type LineUnits = { quantity?: number; unitName?: UnitName };

/**
 * The basis of a line's amount, kept with the line.
 * `period`: `price` is that of a whole period or of a one-time Product. The discount was taken off, and so was the
 * contained tax if the line's tax is `takenOut` (rule X3).
 * `credit` and `debit`: the worth of the rest of the period, counted from `from`, at `rate` (minor units for a whole
 * period; rule P). `most`: the amount that was left of the billed line, if that amount limited the credit (rule P10).
 * `price`: the price of a whole period as sold, before discount; absent on lines from before quantities.
 * `passed`: `cancel-now` ended the Subscription, and only the part of `amount` for the span up to `until` is billed
 * (rule S4). `of` is the basis of `amount`.
 */
export type LineBasis =
  | (LineUnits & { kind: "period"; price: number; discount: DiscountBasis | null })
  | (LineUnits & {
      kind: "credit" | "debit";
      rate: number;
      price?: number;
      from: Instant;
      periodStart: Instant;
      periodEnd: Instant;
      most?: number;
    })
  | { kind: "passed"; amount: number; from: Instant; until: Instant; periodEnd: Instant; of: LineBasis | null };

/** The units as a basis keeps them. */
export function basisUnits({ quantity, unitName }: Units): LineUnits {
  if (quantity === 1 && unitName === null) return {};
  return { quantity, ...(unitName !== null && { unitName }) };
}

/** The units of a line, with the price of one unit for a whole period (minor units); null: the price is not known. */
export type SoldUnits = Units & { unitAmount: number | null };

/** The units of a line by its basis; one unit without a noun for lines from before quantities (rule Q5). */
export function soldUnitsOf(basis: LineBasis | null): SoldUnits {
  if (basis?.kind === "passed") return soldUnitsOf(basis.of);
  const { quantity = 1, unitName = null, price = null } = basis ?? {};
  return { quantity, unitName, unitAmount: price === null ? null : unitAmountOf({ amount: price, quantity }) };
}
