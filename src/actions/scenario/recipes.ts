import { BENEFIT_GRANT_EVENTS } from "./benefit-grant.ts";
import { CHECKOUT_EVENTS } from "./checkout.ts";
import { CUSTOMER_EVENTS } from "./customer.ts";
import { DISPUTE_EVENTS } from "./dispute.ts";
import { INVOICE_EVENTS } from "./invoice.ts";
import { PAYMENT_EVENTS } from "./payment.ts";
import { PAYMENT_ACCOUNT_EVENTS } from "./payment-account.ts";
import { PAYMENT_METHOD_EVENTS } from "./payment-method.ts";
import { PAYMENTS_EVENTS } from "./payments.ts";
import { PRODUCT_EVENTS } from "./product.ts";
import { REFUND_EVENTS } from "./refund.ts";
import { SUBSCRIPTION_EVENTS } from "./subscription.ts";

/** The recipes of all events but those of the webhook endpoints. */
export const RECIPES = {
  ...CUSTOMER_EVENTS,
  ...CHECKOUT_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  ...INVOICE_EVENTS,
  ...PAYMENT_EVENTS,
  ...PAYMENT_ACCOUNT_EVENTS,
  ...PAYMENT_METHOD_EVENTS,
  ...PAYMENTS_EVENTS,
  ...REFUND_EVENTS,
  ...DISPUTE_EVENTS,
  ...BENEFIT_GRANT_EVENTS,
  ...PRODUCT_EVENTS,
};

export type Trigger = keyof typeof RECIPES;
export const TRIGGERS = Object.keys(RECIPES) as Trigger[];
