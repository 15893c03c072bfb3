import type { CustomerBilling } from "../billing/customer-billing.ts";
import { decideChange, freezePlan } from "./decide-change.ts";
import type { Subscription } from "../model/subscription.ts";
import { newChangeCheckout } from "./change-page.ts";
import type { Checkout } from "../model/checkout.ts";
import { Refusal } from "../refusal.ts";

/**
 * The Product that a Customer chose in the portal, and the pages of the portal to which the Checkout leads back.
 * `quantity` absent: the present quantity (rule Q6).
 */
export type AskedInPortal = { productId: string; quantity?: number; successUrl: string; cancelUrl: string };

/** Long enough for a buyer at their bank. After this time the buyer begins again in the portal. */
const OPEN_MINUTES = 60;

/**
 * Drafts the Checkout of a change in the portal, with the Organization's default (rules P11, Q7). While a payment is
 * overdue, the change waits for the end of the period (rules P5, P11b). During a pause it waits for the resume (rule
 * S8f). The change undoes a scheduled cancellation.
 * The draft is not written.
 * @throws Refusal 409, 422; `already_subscribed` if the change has no effect
 */
export function draftInPortal(
  billing: CustomerBilling,
  subscription: Subscription,
  { productId, quantity, ...urls }: AskedInPortal,
): Checkout {
  const isOverdue = subscription.status === "past_due" && subscription.currentPeriodEnd > billing.now;
  const waits = isOverdue || subscription.pause !== null;
  const asked = {
    productId,
    quantity,
    ...(waits && { prorationBehavior: "next_period" as const }),
    ...(subscription.cancelAtPeriodEnd && { cancelAtPeriodEnd: false }),
  };
  const plan = freezePlan(billing, subscription, decideChange(billing, subscription, asked, billing.now));
  if (!plan) throw new Refusal("no_change", { subscriptionId: null });
  const options = { ...urls, locale: null, expiresInMinutes: OPEN_MINUTES, metadata: {}, allowDiscountCodes: false };
  return newChangeCheckout(billing, subscription, plan, options);
}
