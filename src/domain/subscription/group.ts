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

/** @throws AppError 409 `already_subscribed` when the group is held */
export function requireFreeGroup(account: Account, groupKey: string | null): void {
  const holder = groupKey === null ? null : groupHolder(account, groupKey);
  if (holder) throw new AppError("already_subscribed", { extra: { subscriptionId: holder.subscriptionId } });
}
