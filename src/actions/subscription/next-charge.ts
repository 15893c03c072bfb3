import type { Context } from "../../context.ts";
import { previewRenewal, type RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import { endsByPrice, isHeldForImport, type Subscription } from "../../domain/model/subscription.ts";
import { readCustomerBilling, readCustomerBillings } from "../customer-billing.ts";

/**
 * A Subscription has no next charge while access is suspended, because no period begins (rule D8). A pause ends with a
 * charge if its resume is planned (rule S8g). No period begins at a price that lacks its consent (rule N6). Another
 * system charges a Subscription that is held for an import (rule V1).
 */
function mayRenew(subscription: Subscription | null): subscription is Subscription {
  if (subscription === null || endsByPrice(subscription) || isHeldForImport(subscription)) return false;
  const { grantsSuspended, pause } = subscription;
  return pause === null ? !grantsSuspended : pause.resumesAt !== null;
}

/**
 * The next charges of some of a Customer's Subscriptions, if the Subscriptions are not changed before. They are
 * computed by the decision that makes the charges (rule P8).
 */
export function readNextCharges(
  ctx: Context,
  organizationId: string,
  customerId: string,
  subscriptions: readonly Subscription[],
): Promise<Map<string, RenewalPreview>> {
  const key = { organizationId, id: customerId };
  return readCustomerBilling(ctx, key, (billing) => {
    const going = subscriptions.map(({ id }) => billing.subscriptions.get(id)).filter(mayRenew);
    return new Map(going.map((subscription) => [subscription.id, previewRenewal(billing, subscription)]));
  });
}

/**
 * As `readNextCharges`, for Subscriptions of many Customers, by Subscription id. Leaves out ended Subscriptions, and
 * all Subscriptions of a Customer on which the preview throws.
 */
export async function readNextChargesOfMany(
  ctx: Context,
  organizationId: string,
  subscriptions: readonly { id: string; customerId: string }[],
): Promise<Map<string, RenewalPreview>> {
  if (subscriptions.length === 0) return new Map();
  const byCustomer = Map.groupBy(subscriptions, ({ customerId }) => customerId);
  const found = await readCustomerBillings(ctx, organizationId, [...byCustomer.keys()], (billing) =>
    byCustomer.get(billing.customer.id)!.flatMap(({ id }) => {
      const going = billing.subscriptions.get(id);
      return mayRenew(going) ? [[id, previewRenewal(billing, going)] as const] : [];
    }),
  );
  return new Map([...found.values()].flat());
}
