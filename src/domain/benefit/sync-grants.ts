import { type Account, findSubscription } from "../billing/customer-billing.ts";
import { recordGrant } from "../billing/record.ts";
import type { Benefit } from "../model/benefit.ts";
import { syncPurchaseGrants, syncSubscriptionGrants } from "./grant.ts";
import { hasGivenBack } from "../model/refund.ts";

/** Applies an edit of a Product's Benefits to one of the Product's Subscriptions (rule B1). */
export function syncSubscription(account: Account, id: string): void {
  const subscription = findSubscription(account, id);
  if (subscription && subscription.status !== "canceled")
    syncSubscriptionGrants(account, subscription, "benefits_edited", account.now);
}

/**
 * Applies an edit of a Product's Benefits to a one-time purchase. Grants that a refund revoked do not return
 * (rule I3l).
 */
export function syncPurchase(account: Account, invoiceId: string, productId: string): void {
  account.need({ part: "given_back", invoiceId });
  const refunded = account.refunds.where((refund) => refund.invoiceId === invoiceId && hasGivenBack(refund));
  if (!refunded.some(({ revokeGrants }) => revokeGrants))
    syncPurchaseGrants(account, invoiceId, productId, "benefits_edited", account.now);
}

/**
 * Makes one event for each active grant of an edited Benefit if the grant's last event showed older data (rule B1).
 */
export function recordEditedGrants(account: Account, benefit: Benefit): void {
  account.need({ part: "stale_grants", benefitId: benefit.id, shownVersion: benefit.shownVersion });
  const stale = account.grants.where(
    ({ benefitId, status, benefitVersion }) =>
      benefitId === benefit.id && status === "active" && benefitVersion < benefit.shownVersion,
  );
  for (const grant of stale) {
    const subscription = grant.subscriptionId === null ? null : account.subscriptions.get(grant.subscriptionId);
    const shown = { benefit, expiresAt: subscription?.accessEndsAt ?? null };
    recordGrant(account, { ...grant, benefitVersion: benefit.version }, "benefit_grant.updated", account.now, shown);
  }
}
