import type { Context } from "../../context.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import { previewRenewal } from "../../domain/subscription/preview-renewal.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";
import { readAccount } from "../account.ts";

/** The next charges of some of a Customer's Subscriptions if nothing happens before them, by the decision that makes them (rule P8). */
export function readNextCharges(
  ctx: Context,
  organizationId: string,
  customerId: string,
  subscriptions: readonly Subscription[],
): Promise<Map<string, RenewalPreview>> {
  const key = { organizationId, id: customerId };
  return readAccount(ctx, key, (account) => {
    const going = subscriptions.filter(({ id }) => account.subscriptions.get(id));
    return new Map(going.map((subscription) => [subscription.id, previewRenewal(account, account.subscriptions.get(subscription.id)!)]));
  });
}
