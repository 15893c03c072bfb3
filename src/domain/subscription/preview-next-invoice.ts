import { CustomerBilling } from "../billing/customer-billing.ts";
import { nextInvoiceOf } from "../collection/next-invoice.ts";
import type { ChangePreview } from "../model/plan-change.ts";
import type { Subscription } from "../model/subscription.ts";
import { subscriptionAtHand } from "./requested-subscription.ts";

/** The next invoice without a change, and after it; null: there is none. */
export type NextInvoicePreview = Record<"before" | "after", ChangePreview["nextInvoice"]>;

/**
 * Previews a change that bills no line by itself, by the change itself (rule P8). Both invoices come from the same
 * rows.
 * @throws Refusal 404, 409, and those of `change`
 */
export function previewNextInvoice(
  billing: CustomerBilling,
  id: string,
  change: (billing: CustomerBilling, subscription: Subscription) => Subscription,
): NextInvoicePreview {
  const untouched = new CustomerBilling(billing.loaded);
  const after = nextInvoiceOf(billing, change(billing, subscriptionAtHand(billing, id)));
  return { before: nextInvoiceOf(untouched, subscriptionAtHand(untouched, id)), after };
}
