import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import type { Instant } from "../calendar.ts";
import type { Change, FrozenPlan } from "../model/frozen-plan.ts";
import { recordAttempt } from "../payment/attempt.ts";
import type { Payment, PaymentMethod } from "../model/payment.ts";
import type { Subscription } from "../model/subscription.ts";
import { newId } from "../../ids.ts";

/** The request that asked for a change, to be answered later; both null: a page asked. */
export type AskedBy = Pick<Change, "requestId" | "idempotency">;

/** Drafts an intent: the plan as of `now`, and the group that it reserves (rules C4, P1). */
export function newIntent(
  { organization, customer }: Pick<CustomerBilling, "customer" | "organization">,
  { id: subscriptionId, groupKey: currentGroupKey }: Subscription,
  plan: FrozenPlan,
  now: Instant,
  from: AskedBy & Pick<Change, "checkoutId">,
): Change {
  const { groupKey } = plan.target;
  return {
    organizationId: organization.id,
    id: newId("chg"),
    subscriptionId,
    customerId: customer.id,
    ...from,
    pageId: null,
    status: "pending",
    plan,
    groupKey: groupKey === currentGroupKey ? null : groupKey,
    decidedAt: now,
    settledAt: null,
    createdAt: now,
  };
}

/** Records the plan and its reservation, and no other change yet (rule P1). */
export function recordIntent(billing: CustomerBilling, subscription: Subscription, intent: Change): void {
  billing.changes.put(intent);
  recordSubscription(billing, { ...subscription, changeId: intent.id }, null, billing.now);
}

/** Records the attempt that pays for a change, leased to this process (rule D1). */
export function recordChangeAttempt(
  billing: CustomerBilling,
  { id, subscriptionId, plan }: Change,
  method: PaymentMethod,
): Payment {
  const attempt = {
    purpose: "change",
    sourceId: id,
    checkoutId: null,
    invoiceId: null,
    subscriptionId,
    amount: plan.totals.amountDue,
    currency: plan.currency,
  } as const;
  return recordAttempt(billing, attempt, method, billing.now, true);
}
