import type { Benefit, BenefitGrant } from "../model/benefit.ts";
import type { Checkout } from "../model/checkout.ts";
import type { Discount } from "../model/discount.ts";
import type { Change } from "../model/frozen-plan.ts";
import type { Product } from "../model/product.ts";
import type { Subscription } from "../model/subscription.ts";

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
