import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { recordGrant } from "../billing/record.ts";
import type { Benefit } from "../model/benefit.ts";
import { type Purchase, syncPurchaseGrants, syncSubscriptionGrants } from "./grant.ts";
import { hasGivenBack } from "../model/refund.ts";

/** Applies an edit of a Product's Benefits to one of the Product's Subscriptions (rule B1). */
export function syncSubscription(billing: CustomerBilling, id: string): void {
  const subscription = findSubscription(billing, id);
  if (subscription && subscription.status !== "canceled")
    syncSubscriptionGrants(billing, subscription, "benefits_edited", billing.now);
}

/**
 * Applies an edit of a Product's Benefits to a one-time purchase. Grants that a refund revoked do not return
 * (rule I3l).
 */
export function syncPurchase(billing: CustomerBilling, purchase: Purchase): void {
  const { invoiceId } = purchase;
  billing.need({ part: "given_back", invoiceId });
  const refunded = billing.refunds.where((refund) => refund.invoiceId === invoiceId && hasGivenBack(refund));
  if (!refunded.some(({ revokeGrants }) => revokeGrants))
    syncPurchaseGrants(billing, purchase, "benefits_edited", billing.now);
}

/**
 * Makes one event for each active grant of an edited Benefit if the grant's last event showed older data (rule B1).
 */
export function recordEditedGrants(billing: CustomerBilling, benefit: Benefit): void {
  billing.need({ part: "stale_grants", benefitId: benefit.id, shownVersion: benefit.shownVersion });
  const stale = billing.grants.where(
    ({ benefitId, status, benefitVersion }) =>
      benefitId === benefit.id && status === "active" && benefitVersion < benefit.shownVersion,
  );
  for (const grant of stale) {
    const subscription = grant.subscriptionId === null ? null : billing.subscriptions.get(grant.subscriptionId);
    const shown = { benefit, expiresAt: subscription?.accessEndsAt ?? null };
    recordGrant(billing, { ...grant, benefitVersion: benefit.version }, "benefit_grant.updated", billing.now, shown);
  }
}
