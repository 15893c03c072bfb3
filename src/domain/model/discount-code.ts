import type { Instant } from "../calendar.ts";
import { agreeOnDiscount, discountOn, holdDiscount, refusalOf, type Discount, type HeldDiscount } from "./discount.ts";
import { startPeriods } from "./period.ts";
import { periodOf } from "./product.ts";
import { invalid } from "../../errors.ts";
import type { ChargeLimits } from "./charge-limits.ts";
import type { Sale } from "./checkout-sale.ts";

export const DISCOUNT_REFUSALS = {
  unknown_discount: "No such discount code exists.",
  discount_not_active: "The discount can't be used at this time.",
  discount_exhausted: "The discount is used up.",
  discount_not_for_product: "The discount is not for this Product.",
  discount_other_currency: "The discount is in another currency.",
  discount_below_minimum: "The discount leaves an amount that is too small to be charged.",
} as const;
export type DiscountRefusal = keyof typeof DISCOUNT_REFUSALS;

/** `limits`: the amounts that can be charged in the currency of the sale. */
type SaleTerms = { timeZone: string; now: Instant; limits: ChargeLimits };

/**
 * The discount as this sale would hold it, or the reason why it can't be used (rules C3, M5a, X1f). `discount` null:
 * the code does not exist.
 */
export function holdCode(
  discount: Discount | null,
  { product, price }: Sale,
  { timeZone, now, limits }: SaleTerms,
): HeldDiscount | { refused: DiscountRefusal; message: string } {
  const refuse = (refused: DiscountRefusal) => ({ refused, message: DISCOUNT_REFUSALS[refused] });
  if (!discount) return refuse("unknown_discount");
  const sale = { productId: product.id, currency: price.currency, price: price.amount };
  const refused = refusalOf(discount, sale, now);
  if (refused) return refuse(refused);
  const period = periodOf(product);
  const first = period && startPeriods(now, timeZone, period);
  const terms = holdDiscount(discount);
  const held = first ? agreeOnDiscount(terms, { start: now, end: first.currentPeriodEnd }, timeZone) : terms;
  const left = price.amount - discountOn(held, sale, null);
  return left > 0 && left < limits.least ? refuse("discount_below_minimum") : held;
}

/** As `holdCode`, for the code in a request body. @throws AppError 422 at `/discountCode` */
export function requireDiscount(discount: Discount | null, sale: Sale, terms: SaleTerms): HeldDiscount {
  const held = holdCode(discount, sale, terms);
  if ("refused" in held) throw invalid("/discountCode", held.refused, held.message);
  return held;
}
