import type { Context } from "../../context.ts";
import { previewRestart, type RestartPreview } from "../../domain/collection/restart.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { readCustomerBilling } from "../customer-billing.ts";

/**
 * The price of coming back, for a Subscription whose period ended while access was suspended; null for all others.
 * `payingId`: the invoice whose page shows the price.
 */
export async function readRestart(
  ctx: Context,
  subscription: Subscription,
  payingId: string | null = null,
): Promise<RestartPreview | null> {
  const { organizationId, id, customerId, grantsSuspended } = subscription;
  if (!grantsSuspended) return null;
  return readCustomerBilling(ctx, { organizationId, id: customerId }, (billing) => {
    const found = billing.subscriptions.get(id);
    return found && previewRestart(billing, found, payingId);
  });
}
