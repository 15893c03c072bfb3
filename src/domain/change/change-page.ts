import type { Account } from "../billing/customer-billing.ts";
import { cardNeed, type Checkout } from "../model/checkout.ts";
import { DECLINE_MESSAGES, type FailureCode } from "../model/payment-outcome.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import type { AskedProduct } from "./change-target.ts";
import { decideChange } from "./decide-change.ts";
import { freezePlan } from "./freeze.ts";
import type { Subscription } from "../model/subscription.ts";
import { AppError, invalid } from "../../errors.ts";
import { newChangeCheckout } from "./change-draft.ts";
import type { CheckoutOptions } from "../model/open-checkout.ts";
import { recordCheckout } from "../checkout/record.ts";

/**
 * The hours in which a buyer can finish a change. One less than a day: a reader of a day-old message finds the page
 * closed, not about to close.
 */
export const FINISHING_HOURS = 23;

/**
 * Opens a page on which the buyer can finish a change that could not be paid (rule P1), by authenticating or with
 * another card. Only the 402 answer names the page: a failed change makes no event except the event of its payment.
 * `failed`: the reason why the card on file was not charged, which the page says; null: there is no card.
 */
export function openFinishingPage(
  account: Account,
  subscription: Subscription,
  plan: FrozenPlan,
  failed: FailureCode | null,
): Checkout {
  const expiresInMinutes = FINISHING_HOURS * 60;
  const wishes = { successUrl: null, cancelUrl: null, locale: null, expiresInMinutes, metadata: {} };
  const lastPaymentError = failed && { code: failed, message: DECLINE_MESSAGES[failed] };
  const page = { ...newChangeCheckout(account, subscription, plan, wishes), lastPaymentError };
  return recordCheckout(account, page, null, account.now);
}

/**
 * Makes a Checkout that changes a Subscription, as `invoice_now` does, once the Checkout is paid (rule C6).
 * @throws AppError 409, 422
 */
export function createChangeCheckout(
  account: Account,
  subscription: Subscription,
  params: AskedProduct & CheckoutOptions & { currency: string | null },
): Checkout {
  if (params.currency !== null && params.currency !== subscription.currency)
    throw invalid(
      "/currency",
      "other_currency",
      `The currency of the Subscription is ${subscription.currency} and can't be changed.`,
    );
  const asked = {
    productId: params.productId,
    productKey: params.productKey,
    price: "catalogue",
    prorationBehavior: "invoice_now",
  } as const;
  const plan = freezePlan(account, subscription, decideChange(account, subscription, asked, account.now));
  if (!plan) {
    const detail = "The Subscription has this Product already, so there is no change to pay for.";
    throw new AppError("already_subscribed", { detail, extra: { subscriptionId: subscription.id, checkoutId: null } });
  }
  const draft = newChangeCheckout(account, subscription, plan, params);
  if (cardNeed(draft) !== "none" && !account.loaded.hasProvider) throw new AppError("payment_provider_missing");
  return recordCheckout(account, draft, "checkout.created", account.now);
}
