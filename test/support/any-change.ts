import fc from "fast-check";
import type { CustomerBilling } from "../../src/domain/billing/customer-billing.ts";
import { addDays24 } from "../../src/domain/calendar.ts";
import { priceIn } from "../../src/domain/model/product.ts";
import type { Checkout } from "../../src/domain/model/checkout.ts";
import { totalsOf } from "../../src/domain/model/invoice.ts";
import type { ProrationBehavior } from "../../src/domain/model/proration.ts";
import { NOW } from "./customer-billing.ts";
import { SUBJECT } from "./any-billing.ts";
import { PLAN_NAMES } from "./any-catalogue.ts";
import { old } from "./any-subscription.ts";

/** A body of a PATCH that names a Product. */
export const anyChange = fc.record({
  productId: fc.constantFrom(...PLAN_NAMES, "small", "large").map((name) => `prd_${name}`),
  prorationBehavior: fc.constantFrom<ProrationBehavior>(
    "invoice_now",
    "invoice_now",
    "next_invoice",
    "none",
    "next_period",
  ),
  quantity: fc.constantFrom(undefined, undefined, 1, 2, 5, 11),
  price: fc.constantFrom(undefined, "catalogue" as const),
  cancelAtPeriodEnd: fc.constantFrom(undefined, false),
});
type AnyChange = {
  productId: string;
  quantity: number | undefined;
  prorationBehavior: ProrationBehavior;
  price: "catalogue" | undefined;
  cancelAtPeriodEnd: boolean | undefined;
};

/** The open Checkout that asks for such a change at the `agreed` price of a unit; null: at the catalogue price. */
export function checkoutOf(billing: CustomerBilling, asked: AnyChange, agreed: number | null): Checkout {
  const { productId, prorationBehavior, price, cancelAtPeriodEnd } = asked;
  const subscription = billing.subscriptions.get(SUBJECT)!;
  const { id: subscriptionId, currency, claimed: customerNamed, discount } = subscription;
  const quantity = asked.quantity ?? subscription.quantity;
  const product = billing.products.get(productId)!;
  const change = {
    behavior: prorationBehavior,
    ...(price && { price }),
    undo: cancelAtPeriodEnd === false,
    totals: totalsOf([], 0, { least: 50, step: 1 }),
  };
  const pages = {
    allowDiscountCodes: false,
    paymentLinkId: null,
    successUrl: null,
    cancelUrl: null,
    locale: null,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    fields: null,
    fieldAnswers: null,
    metadata: {},
  };
  const sold = {
    productId,
    productName: product.name,
    groupKey: null,
    currency,
    amount: (agreed ?? priceIn(product, currency)!) * quantity,
    quantity,
    unitName: null,
    quantityChange: null,
  };
  const expiresAt = addDays24(NOW, 1);
  return {
    organizationId: "org_1",
    id: old("chk", "1"),
    status: "open",
    ...sold,
    customerId: "cus_1",
    customerNamed,
    subscriptionId,
    invoiceId: null,
    interval: product.interval,
    intervalCount: product.intervalCount,
    trialDays: null,
    trialCard: "required",
    discount,
    billing: null,
    tax: null,
    change,
    usesBalance: false,
    settlement: null,
    ...pages,
    expiresAt,
    completedAt: null,
    dueAt: expiresAt,
    simulated: true,
    version: 1,
    eventSequence: 1,
    createdAt: NOW,
    updatedAt: NOW,
  };
}
