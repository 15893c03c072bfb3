import { type Account, findSubscription } from "../billing/customer-billing.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { openFinishingPage } from "./change-page.ts";
import type { Change } from "../model/frozen-plan.ts";
import { isRefusal, type FailureCode } from "../model/payment-outcome.ts";
import type { Payment } from "../model/payment.ts";
import { applyChange } from "./apply-change.ts";

function findChange(account: Account, id: string): Change | null {
  const change = account.changes.get(id);
  if (!change) account.need({ part: "change", id });
  return change;
}

/**
 * Applies a paid change as of the instant at which it was decided, or drops the change (rule P1). Keeps the answer to
 * the change's request, so that a repeat gets the answer even after a crash.
 */
export function settleChange(account: Account, payment: Payment): void {
  const { now } = account;
  const change = findChange(account, payment.sourceId);
  const subscription = change && findSubscription(account, change.subscriptionId);
  if (!change || !subscription || change.status !== "pending")
    throw new Error(`change ${payment.sourceId} is not being paid`);
  if (payment.status === "requires_action") return;
  const released = { ...subscription, changeId: null };
  const settled: Change = { ...change, settledAt: now };
  const request = change.idempotency && { requestId: change.requestId ?? "", idempotency: change.idempotency };
  if (payment.status === "succeeded") {
    account.changes.put({ ...settled, status: "applied" });
    const applied = applyChange(account, released, change.plan, payment, change.decidedAt);
    if (request) account.answered.push({ ...request, outcome: "changed", subscription: applied.subscription });
    return;
  }
  // If the provider refused the charge, the buyer could not pay on a page either (rule D9).
  const failed = payment.failureCode as FailureCode;
  const pageId = isRefusal(failed) ? null : openFinishingPage(account, released, change.plan, failed).id;
  const dropped: Change = { ...settled, status: "dropped", pageId };
  account.changes.put(dropped);
  recordSubscription(account, released, null, now);
  if (request) account.answered.push({ ...request, outcome: "change_refused", change: dropped, payment });
}
