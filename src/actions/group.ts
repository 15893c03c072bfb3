import { AppError } from "../errors.ts";
import { reservingCheckout } from "../store/checkouts.ts";
import { reservedBy } from "../store/changes.ts";
import { liveInGroup } from "../store/subscriptions.ts";
import type { Work } from "./work.ts";

/** Who holds a Customer's group: a live Subscription, a Checkout being paid, a change being paid; null when it is free (rule C4). */
export async function groupHolder(work: Work, groupKey: string): Promise<{ subscriptionId: string | null } | null> {
  const { tx, organization, customer } = work;
  const live = await liveInGroup(tx, organization.id, customer.id, groupKey);
  if (live) return { subscriptionId: live.id };
  if (await reservingCheckout(tx, organization.id, customer.id, groupKey)) return { subscriptionId: null };
  const subscriptionId = await reservedBy(tx, organization.id, customer.id, groupKey);
  return subscriptionId ? { subscriptionId } : null;
}

/** 409 `already_subscribed` when the group is held. */
export async function requireFreeGroup(work: Work, groupKey: string | null): Promise<void> {
  const holder = groupKey === null ? null : await groupHolder(work, groupKey);
  if (holder) throw new AppError("already_subscribed", { extra: { subscriptionId: holder.subscriptionId } });
}
