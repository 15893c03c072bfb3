import type { TotalCause } from "./totals.ts";
import type { StayReason } from "./stay-reasons.ts";

/** Why a subscription stays, to stand in a list. "It" is the subscription. */
export const STAY_MEANINGS: Record<StayReason, string> = {
  several_items: "it has several items",
  tiers: "its price has tiers, or rounds the quantity to packages",
  usage: "it bills usage, or has a threshold",
  quantity: "its quantity is 0, or above 100,000",
  amount: "its amount is a fraction of the smallest unit, chosen by the buyer, or not chargeable",
  currency: "Billow does not charge its currency",
  send_invoice: "it sends an invoice, and Billow charges cards",
  incomplete: "its first payment is not made",
  paused: "it is paused",
  past_due: "it is unpaid",
  open_invoice: "it has a draft or open invoice",
  pending_items: "amounts wait for its next invoice",
  schedule: "it has a schedule or a pending update, or another subscription is scheduled",
  later_end: "its end is planned for a later period than the one in progress",
  coupon: "it has several discounts, a discount on an item, or a coupon without known terms",
  no_card: "it has no payment method",
  other_payment_method: "it charges no card",
  card_expired: "its card has expired",
  india: "its card is of an Indian bank, which wants a mandate",
  no_email: "its Customer has no e-mail address",
  second_subscription: "its Customer has several subscriptions",
  renewal_near: "it renews within 48 hours",
  other_seller: "a platform or another account takes part in the sale",
  test_clock: "its Customer has a test clock",
};

/** Why the next invoice here has another total than there, to stand in a list. */
export const CAUSE_MEANINGS: Record<TotalCause, string> = {
  no_invoice: "only one of the two systems makes a next invoice",
  price: "the prices differ",
  discount: "the discounts differ",
  tax: "the taxes differ: here they are those of the Organization's settings",
  rounding: "a discount or a tax is rounded in another way",
};
