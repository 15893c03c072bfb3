import type { Account } from "../account/account.ts";
import { AppError } from "../../errors.ts";

/**
 * The holder of a Customer's group: a live Subscription, a Checkout being paid, or a change being paid. Null: the
 * group is free (rule C4).
 */
export function groupHolder(account: Account, groupKey: string): { subscriptionId: string | null } | null {
  const [live] = account.subscriptions.where(
    (subscription) => subscription.groupKey === groupKey && subscription.status !== "canceled",
  );
  if (live) return { subscriptionId: live.id };
  const paying = account.checkouts.where(
    (checkout) => checkout.groupKey === groupKey && isOfCustomer(account, checkout.customerId),
  );
  if (paying.some(({ status }) => status === "processing")) return { subscriptionId: null };
  const [change] = account.changes.where(({ groupKey: key, status }) => key === groupKey && status === "pending");
  return change ? { subscriptionId: change.subscriptionId } : null;
}

/** A Checkout that is being submitted may be on the Account before it belongs to the Customer. */
const isOfCustomer = (account: Account, customerId: string | null) => customerId === account.customer.id;

/** 409 with the Subscription that holds the group. Null: a Checkout of the group is being paid. */
export function alreadySubscribed(subscriptionId: string | null): AppError {
  const detail =
    subscriptionId === null
      ? "The Customer is paying for a Checkout of this group. Wait for its outcome, or read the Checkout."
      : `The Customer has the Subscription ${subscriptionId} already. Change that Subscription, or send the buyer to ` +
        "the portal.";
  return new AppError("already_subscribed", { detail, extra: { subscriptionId } });
}

/** @throws AppError 409 `already_subscribed` when the group is held */
export function requireFreeGroup(account: Account, groupKey: string | null): void {
  const holder = groupKey === null ? null : groupHolder(account, groupKey);
  if (holder) throw alreadySubscribed(holder.subscriptionId);
}
