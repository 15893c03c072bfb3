import type { Context } from "../context.ts";
import { nextDue, type Subscription } from "../domain/subscription.ts";
import { AppError, problem } from "../errors.ts";
import { presentSubscription, subscriptionETag } from "../resources/subscription.ts";
import type { Tx } from "../store/db.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { answer, type Answer } from "./answer.ts";
import { checkoutUrl, type PageRef } from "./links.ts";
import { runDue } from "./run-due.ts";
import { workOnAnyone, type Work } from "./work.ts";

/** Holds the ETag a resource has now against If-Match. @throws AppError `precondition_failed` */
export type Match = (etag: string) => void;
export type SubscriptionWork = Work & { subscription: Subscription };

/** Locks a Subscription by way of its Customer, carries out what is due (rule T3), and holds If-Match against what it is then. */
export async function workOnSubscription(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  id: string,
  match: Match,
): Promise<SubscriptionWork> {
  const seen = await subscriptions.find(tx, organizationId, id);
  const work = seen && (await workOnAnyone(ctx, tx, organizationId, seen.customerId));
  if (!work) throw new AppError("not_found");
  await runDue(work);
  const subscription = await subscriptions.lock(tx, organizationId, id);
  if (!subscription) throw new AppError("not_found");
  match(subscriptionETag(subscription, work.customer.externalId));
  const due = nextDue(subscription);
  // All else that was due is done by now: this is held (rule T4).
  if (due && due.at <= work.now) throw new AppError("catch_up_pending");
  return { ...work, subscription };
}

export function changeInProgress(): AppError {
  return new AppError("change_in_progress", { headers: { "Retry-After": "1" } });
}

/** A change may credit what a refund that is not settled yet gives back, or not: too early to decide (rule P). */
export function refundInProgress(): AppError {
  return new AppError("refund_in_progress", { headers: { "Retry-After": "1" } });
}

/** Nothing else may happen to a Subscription while a change of it is being paid (rule P1). */
export function requireNoChange(subscription: Subscription): void {
  if (subscription.changeId) throw changeInProgress();
}

export function presentAnswer(subscription: Subscription, externalCustomerId: string | null): Answer {
  return answer(200, presentSubscription(subscription, externalCustomerId), { ETag: subscriptionETag(subscription, externalCustomerId) });
}

export type PaymentRefusal = "payment_failed" | "payment_action_required" | "payment_method_required";

/** 402: nothing was changed. `page`: the Checkout on which the buyer can finish it; null where there is none. */
export function paymentRequired(ctx: Context, code: PaymentRefusal, declineCode: string | null, page: PageRef | null): AppError {
  return new AppError(code, { extra: { declineCode, checkoutId: page && page.id, url: page && checkoutUrl(ctx, page) } });
}

/** A 402 as an answer, which is kept for its Idempotency-Key as a 2xx is. @throws whatever else `error` is */
export function refusalAnswer(ctx: Context, error: unknown, requestId: string): Answer {
  if (!(error instanceof AppError) || error.status !== 402) throw error;
  const body = JSON.stringify(problem(error, `${ctx.config.publicOrigin}/docs/errors`, requestId));
  return { status: error.status, headers: { "Content-Type": "application/problem+json" }, body };
}
