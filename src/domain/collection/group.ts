import type { Account } from "../billing/customer-billing.ts";
import { AppError } from "../../errors.ts";

/**
 * `subscriptionId` null: a purchase is being paid. `checkoutId`: the Checkout on which the purchase or the change is
 * being paid; null: there is none.
 */
export type GroupHolder = { subscriptionId: string | null; checkoutId: string | null };

/**
 * The holder of a Customer's group: a live Subscription, a Checkout being paid, or a change being paid. Null: the
 * group is free (rule C4).
 */
export function groupHolder(account: Account, groupKey: string): GroupHolder | null {
  const [live] = account.subscriptions.where(
    (subscription) => subscription.groupKey === groupKey && subscription.status !== "canceled",
  );
  if (live) return { subscriptionId: live.id, checkoutId: null };
  const [paying] = account.checkouts.where(
    (checkout) =>
      checkout.groupKey === groupKey && checkout.status === "processing" && isOfCustomer(account, checkout.customerId),
  );
  if (paying) return { subscriptionId: null, checkoutId: paying.id };
  const [change] = account.changes.where(({ groupKey: key, status }) => key === groupKey && status === "pending");
  return change ? { subscriptionId: change.subscriptionId, checkoutId: change.checkoutId } : null;
}

/** A Checkout that is being submitted may be on the Account before it belongs to the Customer. */
const isOfCustomer = (account: Account, customerId: string | null) => customerId === account.customer.id;

/** 409 with the holder of the group. */
export function alreadySubscribed({ subscriptionId, checkoutId }: GroupHolder): AppError {
  const detail =
    subscriptionId === null
      ? "The payment of an earlier Checkout of this group is not finished. Send the buyer to `url`, to finish the " +
        "payment there or to pay with another card."
      : `The Customer has the Subscription ${subscriptionId} already. Change that Subscription, or send the buyer to ` +
        "the portal.";
  return new AppError("already_subscribed", { detail, extra: { subscriptionId, checkoutId } });
}

/** @throws AppError 409 `already_subscribed` when the group is held */
export function requireFreeGroup(account: Account, groupKey: string | null): void {
  const holder = groupKey === null ? null : groupHolder(account, groupKey);
  if (holder) throw alreadySubscribed(holder);
}
