import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Bill } from "../invoice/bills.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import { nextPeriodAt, type Subscription } from "../model/subscription.ts";
import { beginPause, resumeAsPlanned } from "./pause.ts";
import { finishPeriod } from "./renew.ts";

/**
 * Does the due work that makes a Subscription's next invoice: that of the period's end, or of a pause up to its planned
 * resume (rules S8e, P8). Returns the invoice. Null: there is none, and a pause without a planned resume has none.
 */
export function makeNextInvoice(billing: CustomerBilling, subscription: Subscription): Bill | null {
  const { id, pause, status } = subscription;
  if (pause === null) return finishPeriod(billing, subscription);
  if (pause.resumesAt === null) return null;
  if (status !== "paused") beginPause(billing, subscription);
  return resumeAsPlanned(billing, billing.subscriptions.get(id)!, pause.resumesAt);
}

/**
 * The next invoice, assuming no other change before: that of the renewal or of the planned resume, or the last invoice.
 * The call carries the invoice out in the billing. While dunning suspends the access, no period begins, so there is no
 * invoice (rule D8).
 */
export function nextInvoiceOf(billing: CustomerBilling, subscription: Subscription): ChangePreview["nextInvoice"] {
  const { grantsSuspended, pause, cancelAtPeriodEnd } = subscription;
  if (grantsSuspended && pause === null && !cancelAtPeriodEnd) return null;
  const at = nextPeriodAt(subscription);
  const bill = at === null ? null : makeNextInvoice(billing, subscription);
  return bill && { at: at!, lines: bill.lines };
}
