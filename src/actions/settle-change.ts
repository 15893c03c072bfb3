import type { Context } from "../context.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { changes, type Change } from "../store/changes.ts";
import { customers } from "../store/customers.ts";
import { lastAttempt } from "../store/payments.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { applyChange } from "./apply-change.ts";
import { openFinishingPage } from "./change-checkout.ts";
import type { Outcome, ShownSubscription } from "./origin.ts";
import { recordSubscription } from "./record.ts";
import { outcomeUnknown, paymentRequired } from "./subscription-work.ts";
import type { Work } from "./work.ts";

/** Why a change's payment did not succeed, as the 402 that its PATCH is answered. */
function refusalOf(ctx: Context, payment: Payment, { organizationId, pageId }: Change): AppError {
  const action = payment.actionUrl !== null && payment.failureCode === "authentication_failed";
  const page = pageId === null ? null : { organizationId, id: pageId };
  return paymentRequired(ctx, action ? "payment_action_required" : "payment_failed", payment.failureCode, page);
}

/**
 * Applies the change that was paid as of the instant it was decided, or drops it (rule P1); keeps its answer for the Idempotency-Key, so
 * that a repeat gets it even after a crash.
 */
export async function settleChange(work: Work, payment: Payment): Promise<void> {
  const { ctx, tx, organization, customer, now } = work;
  const change = await changes.lock(tx, organization.id, payment.sourceId);
  const subscription = change && (await subscriptions.lock(tx, organization.id, change.subscriptionId));
  if (!change || !subscription || change.status !== "pending") throw new Error(`change ${payment.sourceId} is not being paid`);
  if (payment.status === "requires_action") return;
  const applied = payment.status === "succeeded";
  const released = { ...subscription, changeId: null };
  const page = applied ? null : await openFinishingPage(work, released, change.plan);
  const settled: Change = { ...change, status: applied ? "applied" : "dropped", pageId: page && page.id, settledAt: now };
  changes.update(tx, settled);
  const next = applied
    ? (await applyChange(work, released, change.plan, payment, change.decidedAt)).subscription
    : await recordSubscription(work, released, null, now);
  if (!change.idempotency) return;
  const outcome: Outcome = applied
    ? { kind: "subscription", subscription: next, externalCustomerId: customer.externalId }
    : { kind: "refused", error: refusalOf(ctx, payment, settled), requestId: change.requestId ?? "" };
  ctx.answers.keep(ctx, tx, change.idempotency, outcome);
}

/** The Subscription after a change that was charged. @throws AppError 402 when it was dropped, 503 while its charge is unknown */
export async function changeOutcome(ctx: Context, organizationId: string, changeId: string): Promise<ShownSubscription> {
  const { read } = ctx.db;
  const change = await changes.find(read, organizationId, changeId);
  if (!change || change.status === "pending") throw outcomeUnknown();
  const payment = change.status === "dropped" ? await lastAttempt(read, organizationId, changeId) : null;
  if (payment) throw refusalOf(ctx, payment, change);
  const [subscription, customer] = await Promise.all([
    subscriptions.find(read, organizationId, change.subscriptionId),
    customers.find(read, organizationId, change.customerId),
  ]);
  if (!subscription || !customer) throw new AppError("not_found");
  return { subscription, externalCustomerId: customer.externalId };
}
