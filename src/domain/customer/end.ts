import { liveSubscriptions, type Account } from "../billing/customer-billing.ts";
import type { Part } from "../billing/parts.ts";
import { writeOff } from "../balance/write-off.ts";
import { revokePurchaseGrants } from "../benefit/grant.ts";
import type { Checkout } from "../model/checkout.ts";
import { recordCheckout } from "../checkout/record.ts";
import { endSubscription } from "../collection/end.ts";

/**
 * Ends the Subscriptions of a deleted Customer, revokes all grants, expires the open Checkouts and writes the balances
 * off (rule I5g).
 */
export function endEverything(account: Account): void {
  const live = liveSubscriptions(account);
  const grants = live.map(({ id: sourceId }): Part => ({ part: "grants", sourceId }));
  account.need({ part: "purchase_grants" }, { part: "open_checkouts" }, ...grants);
  const purchases = grantingPurchases(account);
  account.need(...purchases.map((sourceId): Part => ({ part: "grants", sourceId })));
  for (const subscription of live) endSubscription(account, subscription, "customer_deleted", account.now);
  for (const invoiceId of purchases) revokePurchaseGrants(account, invoiceId, "customer_deleted", account.now);
  for (const checkout of account.checkouts.where(({ status }) => status === "open")) expire(account, checkout);
  writeOff(account);
}

/** Ids of the invoices of one-time purchases that give access, oldest first. */
function grantingPurchases(account: Account): string[] {
  const granting = account.grants.where(({ status }) => status === "active");
  const ids = granting.map(({ invoiceId }) => invoiceId).filter((invoiceId) => invoiceId !== null);
  return [...new Set(ids)].sort();
}

/** A Checkout that is past its time expires as of the end of its time (rule C5). */
function expire(account: Account, checkout: Checkout): void {
  const expiresAt = checkout.expiresAt < account.now ? checkout.expiresAt : account.now;
  recordCheckout(account, { ...checkout, status: "expired", expiresAt, dueAt: null }, "checkout.expired", expiresAt);
}
