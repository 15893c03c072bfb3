import type { CustomerBilling } from "../billing/customer-billing.ts";
import { Refusal } from "../refusal.ts";

/**
 * `subscriptionId` null: a purchase is being paid. `checkoutId`: the Checkout on which the purchase or the change is
 * being paid; null: there is none.
 */
export type GroupHolder = { subscriptionId: string | null; checkoutId: string | null };

/**
 * The holder of a Customer's group: a live Subscription, a Checkout being paid, or a change being paid. Null: the
 * group is free (rule C4).
 */
export function groupHolder(
  billing: Pick<CustomerBilling, "changes" | "checkouts" | "customer" | "subscriptions">,
  groupKey: string,
): GroupHolder | null {
  const [live] = billing.subscriptions.where(
    (subscription) => subscription.groupKey === groupKey && subscription.status !== "canceled",
  );
  if (live) return { subscriptionId: live.id, checkoutId: null };
  const [paying] = billing.checkouts.where(
    (checkout) =>
      checkout.groupKey === groupKey && checkout.status === "processing" && isOfCustomer(billing, checkout.customerId),
  );
  if (paying) return { subscriptionId: null, checkoutId: paying.id };
  const [change] = billing.changes.where(({ groupKey: key, status }) => key === groupKey && status === "pending");
  return change ? { subscriptionId: change.subscriptionId, checkoutId: change.checkoutId } : null;
}

/** A Checkout that is being submitted may be in the billing before it belongs to the Customer. */
const isOfCustomer = (billing: Pick<CustomerBilling, "customer">, customerId: string | null) =>
  customerId === billing.customer.id;

/** The refusal with the holder of the group. */
export const alreadySubscribed = (holder: GroupHolder): Refusal =>
  new Refusal("already_subscribed", { ...holder, foundByEmail: null });

/** @throws Refusal 409 `already_subscribed` when the group is held */
export function requireFreeGroup(
  billing: Pick<CustomerBilling, "changes" | "checkouts" | "customer" | "subscriptions">,
  groupKey: string | null,
): void {
  const holder = groupKey === null ? null : groupHolder(billing, groupKey);
  if (holder) throw alreadySubscribed(holder);
}
