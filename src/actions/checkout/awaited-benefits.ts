import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import type { ReadGrant } from "../../store/benefit-grants.ts";
import { subscriptions } from "../../store/subscriptions.ts";

/** Whether each Benefit of the Product belongs to the purchase, now or soon (rule B1). */
async function isEntitled(ctx: Context, checkout: Checkout, grants: readonly ReadGrant[]): Promise<boolean> {
  const { organizationId, subscriptionId, productId } = checkout;
  if (subscriptionId === null) return grants.every(({ status }) => status === "active");
  const subscription = await subscriptions.find(ctx.db.read, organizationId, subscriptionId);
  if (!subscription || subscription.status === "canceled") return false;
  return !subscription.grantsSuspended && subscription.productId === productId;
}

/**
 * The Benefits of the Product that the purchase is still to get, for example after an edit of the Product. `grants`:
 * all grants of the purchase, active or revoked (rule C9e).
 */
export async function awaitedBenefits(
  ctx: Context,
  checkout: Checkout,
  benefits: readonly Benefit[],
  grants: readonly ReadGrant[],
): Promise<Benefit[]> {
  const made = new Set(grants.map(({ benefitId }) => benefitId));
  const missing = benefits.filter(({ id }) => !made.has(id));
  return missing.length > 0 && (await isEntitled(ctx, checkout, grants)) ? missing : [];
}
