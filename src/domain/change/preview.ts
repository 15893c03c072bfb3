import type { CustomerBilling } from "../billing/customer-billing.ts";
import { balanceIn } from "../balance/move.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import { cardOf } from "../payment/card.ts";
import type { CancellationWhy } from "../model/cancellation.ts";
import { isStalled, type Subscription } from "../model/subscription.ts";
import { applyChange } from "./apply-change.ts";
import { cancelNow, changeCancellation } from "../subscription/cancel.ts";
import type { AskedProduct } from "./change-target.ts";
import { decideChange, type DecidedChange, freezePlan } from "./decide-change.ts";
import { nextInvoiceOf } from "../collection/next-invoice.ts";

/** Previews a scheduled cancellation, or the undoing of one. @throws Refusal 409 */
export function previewCancellation(
  billing: CustomerBilling,
  subscription: Subscription,
  cancelAtPeriodEnd: boolean,
): ChangePreview {
  // The period is over, so the cancellation takes effect at once (rule D8).
  if (cancelAtPeriodEnd && isStalled(subscription, billing.now)) return previewCancelNow(billing, subscription, {});
  const after = changeCancellation(billing, subscription, cancelAtPeriodEnd, {});
  const effectiveAt = cancelAtPeriodEnd ? subscription.currentPeriodEnd : billing.now;
  return { lines: [], chargeAmount: 0, balanceChange: 0, effectiveAt, nextInvoice: nextInvoiceOf(billing, after) };
}

/**
 * Previews a change of the Product, as if its charge succeeded; null: a card is missing (402).
 * @throws Refusal 409, 422
 */
export function previewProduct(
  billing: CustomerBilling,
  subscription: Subscription,
  params: AskedProduct,
): ChangePreview | null {
  return previewDecided(billing, subscription, decideChange(billing, subscription, params, billing.now));
}

/** As `previewProduct`, for a change that is decided as of now. */
export function previewDecided(
  billing: CustomerBilling,
  subscription: Subscription,
  decided: DecidedChange,
): ChangePreview | null {
  const { now } = billing;
  if (decided.cardMissing) return null;
  const plan = freezePlan(billing, subscription, decided);
  if (!plan) {
    return {
      lines: [],
      chargeAmount: 0,
      balanceChange: 0,
      effectiveAt: now,
      nextInvoice: nextInvoiceOf(billing, subscription),
    };
  }
  if (plan.totals.amountDue > 0 && cardOf(billing, subscription) === null) return null;
  const before = balanceIn(billing, subscription.currency);
  const { subscription: after, bill } = applyChange(billing, subscription, plan, null, now);
  const balanceChange = balanceIn(billing, subscription.currency) - before;
  return {
    lines: plan.bill === "now" ? (bill?.lines ?? []) : plan.lines,
    chargeAmount: bill?.invoice.amountDue ?? 0,
    balanceChange,
    effectiveAt: plan.set.pendingChange?.effectiveAt ?? now,
    nextInvoice: nextInvoiceOf(billing, after),
  };
}

/**
 * Previews `cancel-now`. `balanceChange` includes the credit that open invoices give back when they become void.
 * @throws Refusal 409
 */
export function previewCancelNow(
  billing: CustomerBilling,
  subscription: Subscription,
  why: CancellationWhy,
): ChangePreview {
  const before = balanceIn(billing, subscription.currency);
  const bill = cancelNow(billing, subscription, why);
  return {
    lines: bill?.lines ?? [],
    chargeAmount: bill?.invoice.status === "open" ? bill.invoice.amountDue : 0,
    balanceChange: balanceIn(billing, subscription.currency) - before,
    effectiveAt: billing.now,
    nextInvoice: null,
  };
}
