import type { CustomerBilling } from "../billing/customer-billing.ts";
import { nextPeriodOf } from "../collection/next-period.ts";
import { renews, type Subscription } from "../model/subscription.ts";
import type { OwnInvoice } from "./totals.ts";

/** The next invoice of a Subscription as if it were released, by the decision that renews it (rule V3); null: none. */
export function ownNextInvoice(billing: CustomerBilling, subscription: Subscription): OwnInvoice | null {
  if (!renews(subscription)) return null;
  const { current, plan, totals } = nextPeriodOf(billing, subscription);
  const { discountAmount: discount, taxAmount: tax } = plan.line;
  return { subtotal: current.amount, discount, tax, total: totals.totalAmount };
}
