import type { Account } from "../billing/customer-billing.ts";
import { decideChange } from "./decide-change.ts";
import { freezePlan } from "./freeze.ts";
import type { Subscription } from "../model/subscription.ts";
import { AppError } from "../../errors.ts";
import { newChangeCheckout } from "./change-draft.ts";
import type { Checkout } from "../model/checkout.ts";

/** The Product that a Customer chose in the portal, and the pages of the portal to which the Checkout leads back. */
export type AskedInPortal = { productId: string; successUrl: string; cancelUrl: string };

/** Long enough for a buyer at their bank. After this time the buyer begins again in the portal. */
const OPEN_MINUTES = 60;

/**
 * Drafts the Checkout of a change in the portal, with the Organization's `defaultProration` (rule P11). While a payment
 * is overdue, the change waits for the end of the period (rules P5, P11b). The change undoes a scheduled cancellation.
 * The draft is not written.
 * @throws AppError 409, 422; `already_subscribed` if the change has no effect
 */
export function draftInPortal(
  account: Account,
  subscription: Subscription,
  { productId, ...urls }: AskedInPortal,
): Checkout {
  const isOverdue = subscription.status === "past_due" && subscription.currentPeriodEnd > account.now;
  const asked = {
    productId,
    ...(isOverdue && { prorationBehavior: "next_period" as const }),
    ...(subscription.cancelAtPeriodEnd && { cancelAtPeriodEnd: false }),
  };
  const plan = freezePlan(account, subscription, decideChange(account, subscription, asked, account.now));
  if (!plan) throw new AppError("already_subscribed");
  const wishes = { ...urls, locale: null, expiresInMinutes: OPEN_MINUTES, metadata: {} };
  return newChangeCheckout(account, subscription, plan, wishes);
}
