import type { Account } from "../account/account.ts";
import { instant } from "../calendar.ts";
import type { Checkout } from "./checkout.ts";
import type { FrozenPlan } from "../subscription/frozen-plan.ts";
import { taxOn } from "../invoice/issue.ts";
import type { Metadata } from "../catalogue/product.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { newId } from "../../ids.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;

/** How a page is wished for; without minutes it is open for a day. */
export type Wishes = { successUrl: string | null; cancelUrl: string | null; expiresInMinutes: number | null; metadata: Metadata };

/** A Checkout that is not written yet, for the change that `plan` froze; its amounts are what the change came to just now. */
export function newChangeCheckout(account: Account, subscription: Subscription, plan: FrozenPlan, wishes: Wishes): Checkout {
  const { organization, now } = account;
  const { target, asked, totals } = plan;
  const expiresAt = instant(now + (wishes.expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE_MILLISECONDS);
  return {
    organizationId: organization.id,
    id: newId("chk"),
    status: "open",
    productId: target.productId,
    customerId: subscription.customerId,
    customerNamed: subscription.customerNamed,
    subscriptionId: subscription.id,
    invoiceId: null,
    productName: target.productName,
    // The change itself reserves its group (rule C4), not the Checkout.
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
