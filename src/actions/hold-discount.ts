import type { Instant } from "../domain/calendar.ts";
import { minimumCharge } from "../domain/currency.ts";
import { agreeOnDiscount, codeKey, discountOn, holdDiscount, refusalOf, type HeldDiscount } from "../domain/discount.ts";
import type { Organization } from "../domain/organization.ts";
import { startPeriods } from "../domain/period.ts";
import { periodOf } from "../domain/product.ts";
import { invalid } from "../errors.ts";
import type { Tx } from "../store/db.ts";
import { findDiscountByCode } from "../store/discounts.ts";
import type { Sale } from "./find-sale.ts";

const DISCOUNT_REFUSALS = {
  unknown_discount: "No such discount code exists.",
  discount_not_active: "The discount can't be used at this time.",
  discount_exhausted: "The discount was used as often as it may be.",
  discount_not_for_product: "The discount is not for this Product.",
  discount_other_currency: "The discount is in another currency.",
  discount_below_minimum: "The discount leaves an amount that is too small to be charged.",
} as const;
export type DiscountRefusal = keyof typeof DISCOUNT_REFUSALS;

type Seller = Pick<Organization, "id" | "timeZone">;

/** The discount of this code as this sale would hold it, or why it can't be used (rules X1, C3, M5). */
export async function holdCode(
  tx: Tx,
  { id, timeZone }: Seller,
  { product, price }: Sale,
  code: string,
  now: Instant,
): Promise<HeldDiscount | { refused: DiscountRefusal; message: string }> {
  const discount = await findDiscountByCode(tx, id, codeKey(code));
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
  return left > 0 && left < minimumCharge(price.currency) ? refuse("discount_below_minimum") : held;
}

/** As `holdCode`; none without a code. @throws AppError 422 at `/discountCode` */
export async function findDiscount(
  tx: Tx,
  organization: Seller,
  sale: Sale,
  code: string | null,
  now: Instant,
): Promise<HeldDiscount | null> {
  if (code === null) return null;
  const held = await holdCode(tx, organization, sale, code, now);
  if ("refused" in held) throw invalid("/discountCode", held.refused, held.message);
  return held;
}
