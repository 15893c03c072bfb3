import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { abandonAttempt, liveAttempt } from "../../domain/payment/attempt.ts";
import { checkouts } from "../../store/checkouts.ts";
import { inBilling } from "../customer-billing.ts";
import { carryOutPayment } from "./carry-out.ts";

/** The Checkout or invoice that waits for a challenge (`sourceId`), and its Customer. */
export type Challenged = { organizationId: string; customerId: string; sourceId: string };

/**
 * Abandons the bank's challenge on a Checkout, because the buyer wants to pay in another way. The Checkout opens again,
 * unless the buyer has passed the challenge meanwhile. A Checkout that waits for no challenge stays unchanged.
 */
export async function giveUpPayment(ctx: Context, organizationId: string, checkoutId: string): Promise<void> {
  const checkout = await checkouts.find(ctx.db.read, organizationId, checkoutId);
  if (!checkout || checkout.customerId === null) return;
  await giveUpChallenge(ctx, { organizationId, customerId: checkout.customerId, sourceId: checkoutId });
}

/**
 * Abandons a waiting challenge, cancels its payment at the provider, and settles the payment by the provider's answer.
 * Leaves the billing unchanged if no challenge waits.
 */
export async function giveUpChallenge(
  ctx: Context,
  { organizationId, customerId: id, sourceId }: Challenged,
): Promise<void> {
  const abandon = (billing: CustomerBilling) => {
    const live = liveAttempt(billing, sourceId);
    if (live?.status !== "requires_action") return null;
    abandonAttempt(billing, live, billing.now);
    return live.id;
  };
  const abandoned = await ctx.db.tx((tx) => inBilling(ctx, tx, { organizationId, id }, abandon, { deleted: true }));
  if (abandoned) await carryOutPayment(ctx, organizationId, abandoned);
}
