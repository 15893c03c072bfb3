import type { Account } from "../billing/customer-billing.ts";
import type { Checkout } from "../model/checkout.ts";
import { openFields, type CheckoutOptions } from "../model/open-checkout.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import { taxOn } from "../invoice/order.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * Drafts a Checkout for the change in the frozen plan `plan`, with the amounts of the plan. The draft is not written.
 */
export function newChangeCheckout(
  account: Account,
  subscription: Subscription,
  plan: FrozenPlan,
  wishes: CheckoutOptions,
): Checkout {
  const { organization, now } = account;
  const { target, asked, totals } = plan;
  return {
    ...openFields(organization, wishes, now),
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
    interval: target.interval,
    intervalCount: target.intervalCount,
    trialDays: null,
    trialCard: "required",
    discount: subscription.discount,
    billing: null,
    tax: { rate: taxOn(account, subscription.billing) },
    change: { ...asked, totals },
    // The plan of the change uses the balance.
    usesBalance: false,
    settlement: null,
  };
}
