import type { Context } from "../../context.ts";
import { previewRenewal, type RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";
import { readAccount, readAccounts } from "../account.ts";

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

/**
 * `readNextCharges` of Subscriptions of many Customers, by the ids of the Subscriptions. Those that have ended are left out, and those of a
 * Customer on whom the preview throws.
 */
export async function readNextChargesOfMany(
  ctx: Context,
  organizationId: string,
  subscriptions: readonly { id: string; customerId: string }[],
): Promise<Map<string, RenewalPreview>> {
  if (subscriptions.length === 0) return new Map();
  const byCustomer = Map.groupBy(subscriptions, ({ customerId }) => customerId);
  const found = await readAccounts(ctx, organizationId, [...byCustomer.keys()], (account) =>
    byCustomer.get(account.customer.id)!.flatMap(({ id }) => {
      const going = account.subscriptions.get(id);
      return going ? [[id, previewRenewal(account, going)] as const] : [];
    }),
  );
  return new Map([...found.values()].flat());
}
