import { instant, type Instant } from "../calendar.ts";
import { checkoutTax, type Checkout } from "./checkout.ts";
import type { Customer } from "../customer/customer.ts";
import type { HeldDiscount } from "../discount/discount.ts";
import { billingOf } from "../invoice/issue.ts";
import type { Organization } from "../organization/organization.ts";
import type { Metadata } from "../catalogue/product.ts";
import { newId } from "../../ids.ts";
import type { Sale } from "./sale.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;

type Wishes = { successUrl: string | null; cancelUrl: string | null; expiresInMinutes: number | null; metadata: Metadata };

/**
 * A Checkout that is not written yet: Product and price are fixed now (rule C3). `customer` null: the buyer says on the page who they are.
 * `usedTrial`: the Customer has used the trial of the Product's group (rule C2).
 */
export function newCheckout(
  organization: Organization,
  { product, price, discount, usedTrial }: Sale & { discount: HeldDiscount | null; usedTrial: boolean },
  wishes: Wishes,
  customer: Customer | null,
  now: Instant,
): Checkout {
  const expiresAt = instant(now + (wishes.expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE_MILLISECONDS);
  const sold = { productId: product.id, ...price, discount };
  return {
    organizationId: organization.id,
    id: newId("chk"),
    status: "open",
    productId: product.id,
    customerId: customer?.id ?? null,
    customerNamed: customer !== null,
    subscriptionId: null,
    invoiceId: null,
    productName: product.name,
    groupKey: product.groupKey,
    ...price,
    interval: product.interval,
    intervalCount: product.intervalCount,
    trialDays: usedTrial ? null : product.trialDays,
    trialCard: product.trialCard,
    discount,
    billing: null,
    change: null,
    tax: checkoutTax(organization, customer && billingOf(customer, null), sold),
    successUrl: wishes.successUrl,
    cancelUrl: wishes.cancelUrl,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    metadata: wishes.metadata,
    expiresAt,
    completedAt: null,
    dueAt: expiresAt,
    simulated: organization.clockAt !== null,
    version: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}
