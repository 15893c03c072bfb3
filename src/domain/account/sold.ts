import type { Benefit, BenefitGrant } from "../benefit/benefit.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Discount } from "../discount/discount.ts";
import type { Change } from "../subscription/frozen-plan.ts";
import type { Product } from "../catalogue/product.ts";
import type { Subscription } from "../subscription/subscription.ts";

/** A redemption of a Discount that a Checkout has reserved or used; `id` is the Checkout's. */
export type Redemption = { id: string; organizationId: string; discountId: string };
/** A group in which the Customer has used a trial; `id` is the group's key. */
export type UsedTrial = { id: string; subscriptionId: string };

/** Rows of all that a Customer buys, by table. Products and Benefits are read only. */
export type SoldRows = {
  subscriptions: Subscription;
  checkouts: Checkout;
  changes: Change;
  grants: BenefitGrant;
  products: Product;
  benefits: Benefit;
  discounts: Discount;
  redemptions: Redemption;
  trials: UsedTrial;
};
