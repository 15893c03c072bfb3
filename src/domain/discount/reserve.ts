import type { Account } from "../billing/customer-billing.ts";

/** Reserves one use for a Checkout that is being paid (rule X1g). False: no use is left, or the Discount is deleted. */
export function reserveDiscount(account: Account, discountId: string, checkoutId: string): boolean {
  account.need({ part: "discount", id: discountId, checkoutId });
  const discount = account.discounts.get(discountId);
  if (!discount || discount.deletedAt !== null) return false;
  const { maxRedemptions, redemptions, organizationId } = discount;
  if (maxRedemptions !== null && redemptions >= maxRedemptions) return false;
  account.discounts.put({ ...discount, redemptions: redemptions + 1 });
  account.redemptions.put({ id: checkoutId, organizationId, discountId });
  return true;
}

/** Gives a reserved use back, if there is one, even for a Discount that was deleted since. */
export function releaseDiscount(account: Account, discountId: string, checkoutId: string): void {
  account.need({ part: "discount", id: discountId, checkoutId });
  const redemption = account.redemptions.get(checkoutId);
  const discount = account.discounts.get(discountId);
  if (!discount || redemption?.discountId !== discountId) return;
  account.redemptions.drop(redemption);
  account.discounts.put({ ...discount, redemptions: discount.redemptions - 1 });
}
