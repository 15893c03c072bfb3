import type { Context } from "../context.ts";
import { nextDue, type Subscription } from "../domain/subscription.ts";
import { AppError } from "../errors.ts";
import type { Tx } from "../store/db.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { checkoutUrl, type PageRef } from "./links.ts";
import type { Match, ShownSubscription } from "./origin.ts";
import { runDue } from "./run-due.ts";
import { workOnAnyone, type Work } from "./work.ts";

export type SubscriptionWork = Work & { subscription: Subscription };

/** Locks a Subscription by way of its Customer, carries out what is due (rule T3), and then holds it against `match`. */
export async function workOnSubscription(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  id: string,
  match?: Match<ShownSubscription>,
): Promise<SubscriptionWork> {
  const seen = await subscriptions.find(tx, organizationId, id);
  const work = seen && (await workOnAnyone(ctx, tx, organizationId, seen.customerId));
  if (!work) throw new AppError("not_found");
  await runDue(work);
  const subscription = await subscriptions.lock(tx, organizationId, id);
  if (!subscription) throw new AppError("not_found");
  match?.({ subscription, externalCustomerId: work.customer.externalId });
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

export type PaymentRefusal = "payment_failed" | "payment_action_required" | "payment_method_required";

/** 402: nothing was changed. `page`: the Checkout on which the buyer can finish it; null where there is none. */
export function paymentRequired(ctx: Context, code: PaymentRefusal, declineCode: string | null, page: PageRef | null): AppError {
  return new AppError(code, { extra: { declineCode, checkoutId: page && page.id, url: page && checkoutUrl(ctx, page) } });
}

/** 503: a charge may or may not have been made; the same request learns it once the provider says (rule D2). */
export function outcomeUnknown(): AppError {
  const detail =
    "The outcome of the payment is not known yet. Send the request again after `Retry-After` seconds, with the same Idempotency-Key.";
  return new AppError("unavailable", { detail, headers: { "Retry-After": "2" } });
}
