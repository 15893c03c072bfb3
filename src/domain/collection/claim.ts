import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { recordCustomer } from "../billing/record.ts";
import { recordSubscription } from "./record-subscription.ts";
import { isFreeForEver } from "../model/discount.ts";
import { nextDiscountOf } from "../model/discount-change.ts";
import { cardOf, isChargeable } from "../payment/card.ts";
import type { Billing } from "../tax/tax.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * Makes an unclaimed Subscription the Customer's own (rule C12). The Customer's billing data count from now on. The
 * card of the purchase stays the Subscription's own card, unless that card is the default card or can't be charged any
 * more. The Subscription is then charged to the default card.
 */
export function claim(billing: CustomerBilling, subscription: Subscription): Subscription {
  if (subscription.claimed || subscription.status === "canceled") return subscription;
  recordTypedBilling(billing, subscription.billing);
  return setCard(billing, { ...subscription, claimed: true, billing: null }, subscription.paymentMethodId);
}

/**
 * As `claim`, for an act that names no card, such as an edit of the Customer's details. A Subscription that would be
 * charged to another card from then on stays unclaimed (rule C12d).
 */
export function claimWithItsCard(billing: CustomerBilling, subscription: Subscription): Subscription {
  const { productId, amount: price, pendingChange, priceChange, paymentMethodId } = subscription;
  const isFree =
    isFreeForEver({ productId, price }, nextDiscountOf(subscription)) && pendingChange === null && priceChange === null;
  return isFree || isChargeable(billing, paymentMethodId) ? claim(billing, subscription) : subscription;
}

/** Claims the Subscriptions for which an edit of the Customer's details counts (rule C12b). */
export function claimByDetails(billing: CustomerBilling): void {
  for (const live of liveSubscriptions(billing)) claimWithItsCard(billing, live);
}

/**
 * Sets the own card of a claimed Subscription. The default card and a card that can't be charged any more are no own
 * card. Callers do not see the card of a Subscription, so the version stays, unless a trial can now become paid.
 */
export function setCard(billing: CustomerBilling, subscription: Subscription, own: string | null): Subscription {
  const isOwn = own !== billing.customer.defaultPaymentMethodId && isChargeable(billing, own);
  const next = { ...subscription, paymentMethodId: isOwn ? own : null };
  if (next.cardMissing && cardOf(billing, next))
    return recordSubscription(billing, { ...next, cardMissing: false }, null, billing.now);
  billing.subscriptions.put(next);
  return next;
}

/** The billing data that the buyer typed become the data of a Customer without a billing address (rules C3h, C12c). */
function recordTypedBilling(
  billing: Pick<CustomerBilling, "customer" | "events" | "now">,
  typed: Billing | null,
): void {
  const { customer, now } = billing;
  if (!typed || customer.billingAddress !== null) return;
  const { address, taxId } = typed;
  const [first, second] = address === null ? [customer, typed] : [typed, customer];
  const companyName = first.companyName ?? second.companyName ?? null;
  if (address === null && companyName === customer.companyName) return;
  const known = { ...customer, billingAddress: address, taxId: taxId ?? customer.taxId, companyName };
  recordCustomer(billing, known, "customer.updated", now);
}
