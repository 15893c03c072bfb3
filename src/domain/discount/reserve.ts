import type { CustomerBilling } from "../billing/customer-billing.ts";

/** Reserves one use for a Checkout that is being paid (rule X1g). False: no use is left, or the Discount is deleted. */
export function reserveDiscount(
  billing: Pick<CustomerBilling, "discounts" | "need" | "redemptions">,
  discountId: string,
  checkoutId: string,
): boolean {
  billing.need({ part: "discount", id: discountId, checkoutId });
  const discount = billing.discounts.get(discountId);
  if (!discount || discount.deletedAt !== null) return false;
  const { maxRedemptions, redemptions, organizationId } = discount;
  if (maxRedemptions !== null && redemptions >= maxRedemptions) return false;
  billing.discounts.put({ ...discount, redemptions: redemptions + 1 });
  billing.redemptions.put({ id: checkoutId, organizationId, discountId });
  return true;
}

/** Gives a reserved use back, if there is one, even for a Discount that was deleted since. */
export function releaseDiscount(
  billing: Pick<CustomerBilling, "discounts" | "need" | "redemptions">,
  discountId: string,
  checkoutId: string,
): void {
  billing.need({ part: "discount", id: discountId, checkoutId });
  const redemption = billing.redemptions.get(checkoutId);
  const discount = billing.discounts.get(discountId);
  if (!discount || redemption?.discountId !== discountId) return;
  billing.redemptions.drop(redemption);
  billing.discounts.put({ ...discount, redemptions: discount.redemptions - 1 });
}
