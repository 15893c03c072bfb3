import type { Account } from "../account/account.ts";
import { recordGrant } from "../account/record.ts";
import type { Benefit } from "./benefit.ts";
import { syncPurchaseGrants, syncSubscriptionGrants } from "./grant.ts";
import { findSubscription } from "../subscription/find.ts";

/** Carries an edit of a Product's Benefits on to a Subscription of it (rule B1). */
export function syncSubscription(account: Account, id: string): void {
  const subscription = findSubscription(account, id);
  if (subscription && subscription.status !== "canceled") syncSubscriptionGrants(account, subscription, "benefits_edited", account.now);
}

/** Carries an edit of a Product's Benefits on to a one-time purchase. Grants that a refund took stay taken (rule I3l). */
export function syncPurchase(account: Account, invoiceId: string, productId: string): void {
  account.need({ part: "given_back", invoiceId });
  const refunded = account.refunds.where((refund) => refund.invoiceId === invoiceId && refund.status === "succeeded");
  if (!refunded.some(({ revokeGrants }) => revokeGrants)) syncPurchaseGrants(account, invoiceId, productId, "benefits_edited", account.now);
}

/** Tells of an edited Benefit by each grant of it that has not told of a version that shows as much (rule B1). */
export function tellGrants(account: Account, benefit: Benefit): void {
  account.need({ part: "stale_grants", benefitId: benefit.id, shownVersion: benefit.shownVersion });
  const stale = account.grants.where(
    ({ benefitId, status, benefitVersion }) => benefitId === benefit.id && status === "active" && benefitVersion < benefit.shownVersion,
  );
  for (const grant of stale) {
    const subscription = grant.subscriptionId === null ? null : account.subscriptions.get(grant.subscriptionId);
    const shown = { benefit, expiresAt: subscription?.accessEndsAt ?? null };
    recordGrant(account, { ...grant, benefitVersion: benefit.version }, "benefit_grant.updated", account.now, shown);
  }
}
