import type { CustomerBilling } from "../billing/customer-billing.ts";
import { taxOn } from "../invoice/order.ts";
import { cardNeed, type Checkout } from "../model/checkout.ts";
import { nextDiscountOf } from "../model/discount-change.ts";
import type { FailureCode } from "../model/payment-outcome.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import type { AskedProduct } from "./change-target.ts";
import { decideChange, freezePlan } from "./decide-change.ts";
import type { Subscription } from "../model/subscription.ts";
import { type CheckoutOptions, openFields } from "../model/open-checkout.ts";
import { recordCheckout } from "../checkout/record.ts";
import { Refusal } from "../refusal.ts";

/**
 * The hours in which a buyer can finish a change. One less than a day: a reader of a day-old message finds the page
 * closed, not about to close.
 */
export const FINISHING_HOURS = 23;

/**
 * Drafts a Checkout for the change in the frozen plan `plan`, with the amounts of the plan. The draft is not written.
 */
export function newChangeCheckout(
  billing: Pick<CustomerBilling, "customer" | "now" | "organization">,
  subscription: Subscription,
  plan: FrozenPlan,
  options: CheckoutOptions,
): Checkout {
  const { organization, now } = billing;
  const { target, asked, totals } = plan;
  return {
    ...openFields(organization, options, now),
    productId: target.productId,
    customerId: subscription.customerId,
    customerNamed: subscription.claimed,
    subscriptionId: subscription.id,
    invoiceId: null,
    productName: target.productName,
    // The change reserves its group (rule C4), so the Checkout does not.
    groupKey: null,
    currency: subscription.currency,
    amount: target.amount,
    quantity: target.quantity,
    quantityChange: null,
    unitName: target.unitName,
    interval: target.interval,
    intervalCount: target.intervalCount,
    trialDays: null,
    trialCard: "required",
    discount: nextDiscountOf(subscription),
    billing: null,
    tax: { rate: taxOn(billing, subscription.billing) },
    change: { ...asked, totals },
    // The plan of the change uses the balance.
    usesBalance: false,
    settlement: null,
    // Own fields are for new purchases (rule C14a).
    fields: null,
    fieldAnswers: null,
  };
}

/**
 * Opens a page on which the buyer can finish a change that could not be paid (rule P1), by authenticating or with
 * another card. Only the 402 answer names the page: a failed change makes no event except the event of its payment.
 * `failed`: the reason why the card on file was not charged, which the page says; null: there is no card.
 */
export function openFinishingPage(
  billing: CustomerBilling,
  subscription: Subscription,
  plan: FrozenPlan,
  failed: FailureCode | null,
): Checkout {
  const expiresInMinutes = FINISHING_HOURS * 60;
  const options = {
    successUrl: null,
    cancelUrl: null,
    locale: null,
    expiresInMinutes,
    metadata: {},
    allowDiscountCodes: false,
  };
  const lastPaymentError = failed && { code: failed };
  const page = { ...newChangeCheckout(billing, subscription, plan, options), lastPaymentError };
  return recordCheckout(billing, page, null, billing.now);
}

/**
 * Makes a Checkout that changes a Subscription, as `invoice_now` does, once the Checkout is paid (rule C6).
 * @throws Refusal 409, 422
 */
export function createChangeCheckout(
  billing: CustomerBilling,
  subscription: Subscription,
  params: Omit<AskedProduct, "quantity"> & CheckoutOptions & { currency: string | null; quantity: number | null },
): Checkout {
  if (params.currency !== null && params.currency !== subscription.currency)
    throw new Refusal("other_currency", { field: "/currency", currency: subscription.currency });
  const asked = {
    productId: params.productId,
    productKey: params.productKey,
    quantity: params.quantity ?? undefined,
    price: "catalogue",
    prorationBehavior: "invoice_now",
  } as const;
  const plan = freezePlan(billing, subscription, decideChange(billing, subscription, asked, billing.now));
  if (!plan) throw new Refusal("no_change", { subscriptionId: subscription.id });
  const draft = newChangeCheckout(billing, subscription, plan, params);
  if (cardNeed(draft) !== "none" && !billing.loaded.hasProvider) throw new Refusal("payment_provider_missing");
  return recordCheckout(billing, draft, "checkout.created", billing.now);
}
