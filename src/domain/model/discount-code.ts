import type { Instant } from "../calendar.ts";
import { agreeOnDiscount, discountOn, holdDiscount, refusalOf, type Discount, type HeldDiscount } from "./discount.ts";
import { startPeriods } from "./period.ts";
import { periodOf } from "./product.ts";
import type { ChargeLimits } from "./charge-limits.ts";
import type { Sale } from "./checkout-sale.ts";
import { Refusal, type DiscountRefusal } from "../refusal.ts";

/** The reason why a code can't be used. */
export type RefusedCode = { refused: DiscountRefusal };

/** `limits`: the amounts that can be charged in the currency of the sale. */
type SaleTerms = { timeZone: string; now: Instant; limits: ChargeLimits };

/**
 * The discount as this sale would hold it, or the reason why it can't be used (rules C3, M5a, X1f). `discount` null:
 * the code does not exist.
 */
export function holdCode(
  discount: Discount | null,
  { product, price }: Pick<Sale, "product" | "price">,
  { timeZone, now, limits }: SaleTerms,
): HeldDiscount | RefusedCode {
  if (!discount) return { refused: "unknown_discount" };
  const sale = { productId: product.id, currency: price.currency, price: price.amount };
  const refused = refusalOf(discount, sale, now);
  if (refused) return { refused };
  const period = periodOf(product);
  const first = period && startPeriods(now, timeZone, period);
  const terms = holdDiscount(discount);
  const held = first ? agreeOnDiscount(terms, { start: now, end: first.currentPeriodEnd }, timeZone) : terms;
  const left = price.amount - discountOn(held, sale, null);
  return left > 0 && left < limits.least ? { refused: "discount_below_minimum" } : held;
}

/** As `holdCode`, for the code in a request body. @throws Refusal 422 at `/discountCode` */
export function requireDiscount(discount: Discount | null, sale: Sale, terms: SaleTerms): HeldDiscount {
  const held = holdCode(discount, sale, terms);
  if ("refused" in held) throw new Refusal("discount_refused", { field: "/discountCode", reason: held.refused });
  return held;
}
