import type { Account } from "../billing/customer-billing.ts";
import { balanceIn } from "../balance/move.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import { cardOf } from "../payment/card.ts";
import type { CancellationWhy } from "../model/cancellation.ts";
import { isStalled, type Subscription } from "../model/subscription.ts";
import { applyChange } from "./apply-change.ts";
import { cancelNow, changeCancellation } from "../subscription/cancel.ts";
import type { AskedProduct } from "./change-target.ts";
import { decideChange, type DecidedChange } from "./decide-change.ts";
import { freezePlan } from "./freeze.ts";
import { nextInvoiceOf } from "../collection/renew.ts";

/** Previews a scheduled cancellation, or the undoing of one. @throws AppError 409 */
export function previewCancellation(
  account: Account,
  subscription: Subscription,
  cancelAtPeriodEnd: boolean,
): ChangePreview {
  // The period is over, so the cancellation takes effect at once (rule D8).
  if (cancelAtPeriodEnd && isStalled(subscription, account.now)) return previewCancelNow(account, subscription, {});
  const after = changeCancellation(account, subscription, cancelAtPeriodEnd, {});
  const effectiveAt = cancelAtPeriodEnd ? subscription.currentPeriodEnd : account.now;
  return { lines: [], chargeAmount: 0, balanceChange: 0, effectiveAt, nextInvoice: nextInvoiceOf(account, after) };
}

/**
 * Previews a change of the Product, as if its charge succeeded; null: a card is missing (402).
 * @throws AppError 409, 422
 */
export function previewProduct(
  account: Account,
  subscription: Subscription,
  params: AskedProduct,
): ChangePreview | null {
  return previewDecided(account, subscription, decideChange(account, subscription, params, account.now));
}

/** As `previewProduct`, for a change that is decided as of now. */
export function previewDecided(
  account: Account,
  subscription: Subscription,
  decided: DecidedChange,
): ChangePreview | null {
  const { now } = account;
  if (decided.cardMissing) return null;
  const plan = freezePlan(account, subscription, decided);
  if (!plan) {
    return {
      lines: [],
      chargeAmount: 0,
      balanceChange: 0,
      effectiveAt: now,
      nextInvoice: nextInvoiceOf(account, subscription),
    };
  }
  if (plan.totals.amountDue > 0 && cardOf(account, subscription) === null) return null;
  const before = balanceIn(account, subscription.currency);
  const { subscription: after, bill } = applyChange(account, subscription, plan, null, now);
  const balanceChange = balanceIn(account, subscription.currency) - before;
  return {
    lines: plan.bill === "now" ? (bill?.lines ?? []) : plan.lines,
    chargeAmount: bill?.invoice.amountDue ?? 0,
    balanceChange,
    effectiveAt: plan.set.pendingChange?.effectiveAt ?? now,
    nextInvoice: nextInvoiceOf(account, after),
  };
}

/**
 * Previews `cancel-now`. `balanceChange` includes the credit that open invoices give back when they become void.
 * @throws AppError 409
 */
export function previewCancelNow(account: Account, subscription: Subscription, why: CancellationWhy): ChangePreview {
  const before = balanceIn(account, subscription.currency);
  const bill = cancelNow(account, subscription, why);
  return {
    lines: bill?.lines ?? [],
    chargeAmount: bill?.invoice.status === "open" ? bill.invoice.amountDue : 0,
    balanceChange: balanceIn(account, subscription.currency) - before,
    effectiveAt: account.now,
    nextInvoice: null,
  };
}
