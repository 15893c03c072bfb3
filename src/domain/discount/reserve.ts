import type { CustomerBilling } from "../billing/customer-billing.ts";

/** Reserves one use for a Checkout that is being paid, or takes it for a Subscription (rules X1g, X4c). False: no use is left, or the Discount is deleted. */
export function reserveDiscount(
  billing: Pick<CustomerBilling, "discounts" | "need" | "redemptions">,
  discountId: string,
  holderId: string,
): boolean {
  billing.need({ part: "discount", id: discountId, holderId });
  const discount = billing.discounts.get(discountId);
  if (!discount || discount.deletedAt !== null) return false;
  const { maxRedemptions, redemptions, organizationId } = discount;
  if (maxRedemptions !== null && redemptions >= maxRedemptions) return false;
  billing.discounts.put({ ...discount, redemptions: redemptions + 1 });
  billing.redemptions.put({ id: holderId, organizationId, discountId });
  return true;
}

/** Gives a reserved use back, if there is one, even for a Discount that was deleted since. */
export function releaseDiscount(
  billing: Pick<CustomerBilling, "discounts" | "need" | "redemptions">,
  discountId: string,
  holderId: string,
): void {
  billing.need({ part: "discount", id: discountId, holderId });
  const redemption = billing.redemptions.get(holderId);
  const discount = billing.discounts.get(discountId);
  if (!discount || redemption?.discountId !== discountId) return;
  billing.redemptions.drop(redemption);
  billing.discounts.put({ ...discount, redemptions: discount.redemptions - 1 });
}
