import type { CustomerBilling } from "../billing/customer-billing.ts";
import { balanceIn } from "../balance/move.ts";
import { queueEmail } from "../billing/record.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import { requireNoChange } from "../collection/change-refusal.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { runDueAtRest } from "../collection/due.ts";
import { collectOwed } from "../collection/failure.ts";
import { nextInvoiceOf } from "../collection/next-invoice.ts";
import { resumeSubscription } from "../collection/pause.ts";
import { recovered } from "../collection/restart.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import { openInvoicesOf, type Bill } from "../invoice/bills.ts";
import { planPause, withoutPause } from "../model/pause.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import { isRefusedAt } from "../model/scheduled-price.ts";
import { isResuming, type Pause, type Subscription } from "../model/subscription.ts";
import { Refusal } from "../refusal.ts";

/**
 * Schedules a pause, or changes a pause that is scheduled or has begun (rules S8a, S8b, S8c).
 * @throws Refusal 409, 422
 */
export function pauseSubscription(billing: CustomerBilling, subscription: Subscription, asked: Pause): Subscription {
  requireNoChange(billing, subscription);
  const { now } = billing;
  const hasOpenInvoice = openInvoicesOf(billing, subscription.id).length > 0;
  const plan = planPause(subscription, asked, { hasOpenInvoice, now });
  if ("refusal" in plan) {
    const { refusal } = plan;
    throw refusal === "change_in_progress" ? new Refusal(refusal, { checkoutId: null }) : new Refusal(refusal);
  }
  if ("outOfRange" in plan) throw new Refusal("resume_out_of_range", { field: "/resumesAt", ...plan.outOfRange });
  if ("unchanged" in plan) return subscription;
  const isPaused = subscription.status === "paused";
  const access = isPaused ? { grantsSuspended: asked.access === "revoke" } : {};
  const changed = { ...claimWithItsCard(billing, subscription), ...plan.change, ...access };
  const next = recordSubscription(billing, changed, "subscription.updated", now);
  queueEmail(billing, { type: "subscription.updated", subscription: next, pause: asked }, now);
  if (isPaused)
    syncSubscriptionGrants(
      billing,
      next,
      asked.access === "revoke" ? "subscription_paused" : "subscription_resumed",
      now,
    );
  return next;
}

/**
 * Undoes a pause that has not begun. `toCancel`: a cancellation follows, and its e-mail replaces the one about the
 * pause (rules S8a, S8j).
 */
function undo(billing: CustomerBilling, subscription: Subscription, toCancel = false): Subscription {
  requireNoChange(billing, subscription);
  const claimed = claimWithItsCard(billing, subscription);
  const { now } = billing;
  const next = recordSubscription(billing, { ...claimed, ...withoutPause(claimed) }, "subscription.updated", now);
  if (!toCancel) queueEmail(billing, { type: "subscription.updated", subscription: next, pause: null }, now);
  return next;
}

/**
 * Undoes a pause for its Customer, unless the pause has begun: its end costs money, to which the Customer has to agree
 * first (rule S8k). `toCancel`: as in `undo`. Returns whether no pause is left.
 * @throws Refusal 409
 */
export function undoInPortal(billing: CustomerBilling, subscription: Subscription, toCancel: boolean): boolean {
  if (subscription.status === "paused") return false;
  if (subscription.status === "canceled") throw new Refusal("subscription_canceled");
  if (subscription.pause !== null) undo(billing, subscription, toCancel);
  return true;
}

/**
 * Undoes a scheduled pause, or ends the pause: a period begins now and is charged (rules S8a, S8g). A Subscription
 * without a pause stays as it is.
 * @throws Refusal 409
 */
export function resume(billing: CustomerBilling, subscription: Subscription): Subscription {
  if (subscription.status === "canceled") throw new Refusal("subscription_canceled");
  if (subscription.pause === null) return subscription;
  if (subscription.status !== "paused") return undo(billing, subscription);
  endPause(billing, subscription);
  return billing.subscriptions.get(subscription.id)!;
}

/** Ends a pause that has begun, and collects the invoice of the new period (rule S8g). @throws Refusal 409 */
function endPause(billing: CustomerBilling, subscription: Subscription): Bill {
  requireNoChange(billing, subscription);
  if (isRefusedAt(subscription.priceChange, billing.now)) throw new Refusal("price_not_accepted");
  const bill = resumeSubscription(billing, claimWithItsCard(billing, subscription), billing.now);
  collectOwed(billing, bill);
  runDueAtRest(billing);
  return bill;
}

/**
 * Previews `resume` by the resume itself, as if its charge succeeded (rule P8). The lines are empty if the pause has
 * not begun, because the resume then undoes the pause.
 * @throws Refusal 409
 */
export function previewResume(billing: CustomerBilling, subscription: Subscription): ChangePreview {
  const before = balanceIn(billing, subscription.currency);
  const bill = subscription.status === "paused" ? endPause(billing, subscription) : null;
  const after = bill ? billing.subscriptions.get(subscription.id)! : resume(billing, subscription);
  const balanceChange = balanceIn(billing, subscription.currency) - before;
  return {
    lines: bill?.lines ?? [],
    chargeAmount: bill?.invoice.status === "open" ? bill.invoice.amountDue : 0,
    balanceChange,
    effectiveAt: billing.now,
    nextInvoice: nextInvoiceOf(billing, isResuming(after) ? recovered(after) : after),
  };
}
