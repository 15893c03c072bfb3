import type { CustomerBilling } from "../billing/customer-billing.ts";
import { requireNoChange } from "../collection/change-refusal.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { reserveDiscount } from "../discount/reserve.ts";
import { codeKey, holdDiscount, refusalOf, type HeldDiscount } from "../model/discount.ts";
import { lastingDiscountOf, planDiscount } from "../model/discount-change.ts";
import type { Subscription } from "../model/subscription.ts";
import { Refusal, type DiscountRefusal } from "../refusal.ts";

const refused = (reason: DiscountRefusal) => new Refusal("discount_refused", { field: "/discountCode", reason });

/** A code, and the id of the undeleted Discount that has the code; null: there is none. */
export type AskedDiscount = { code: string; discountId: string | null };

/**
 * The asked discount as the Subscription would hold it. The Discount is locked. If no Discount has the code any more,
 * the code names the discount that the Subscription has, or that waits (rules X1h, X4b).
 * @throws Refusal 422 if there is no such one
 */
function findHeld(
  billing: CustomerBilling,
  subscription: Subscription,
  { code, discountId }: AskedDiscount,
): HeldDiscount {
  if (discountId === null) {
    const own = [lastingDiscountOf(subscription), subscription.pendingDiscount?.discount];
    const held = own.find((each) => each && codeKey(each.code) === codeKey(code));
    if (!held) throw refused("unknown_discount");
    return held;
  }
  billing.need({ part: "discount", id: discountId, holderId: subscription.id });
  const discount = billing.discounts.get(discountId);
  if (!discount || discount.deletedAt !== null) throw refused("unknown_discount");
  return holdDiscount(discount);
}

/**
 * Takes a use of the Discount for a Subscription, unless it has taken one before (rule X4c). The Discount has to cover
 * the Product of the next period (rule X4d).
 * @throws Refusal 422
 */
function takeUse(billing: CustomerBilling, subscription: Subscription, discountId: string): void {
  const { id, pendingChange, productId, currency } = subscription;
  const discount = billing.discounts.get(discountId)!;
  const isTaken = billing.redemptions.get(id)?.discountId === discountId;
  const usable = isTaken ? { ...discount, maxRedemptions: null } : discount;
  const reason = refusalOf(usable, { productId: pendingChange?.productId ?? productId, currency }, billing.now);
  if (reason !== null) throw refused(reason);
  if (!isTaken && !reserveDiscount(billing, discountId, id)) throw refused("discount_exhausted");
}

/**
 * Gives a running Subscription another discount from the next period on, or takes its discount off (rule X4).
 * `asked` null: no discount.
 * @throws Refusal 409, 422
 */
export function changeDiscount(
  billing: CustomerBilling,
  subscription: Subscription,
  asked: AskedDiscount | null,
): Subscription {
  if (subscription.status === "canceled") throw new Refusal("subscription_canceled");
  requireNoChange(billing, subscription);
  const wanted = asked && findHeld(billing, subscription, asked);
  const plan = planDiscount(subscription, wanted, billing.now);
  if ("unchanged" in plan) return subscription;
  if (plan.uses) takeUse(billing, subscription, wanted!.id);
  const { pendingDiscount } = plan;
  const changed = { ...claimWithItsCard(billing, { ...subscription, pendingDiscount }), pendingDiscount };
  return recordSubscription(billing, changed, "subscription.updated", billing.now);
}
