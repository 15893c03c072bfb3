import type { CustomerBilling } from "../billing/customer-billing.ts";
import { nextPeriodOf } from "../collection/next-period.ts";
import { renews, type Subscription } from "../model/subscription.ts";
import type { Amount } from "../money.ts";

/** The next invoice of a Subscription, in minor units, before the balance. `taxAmount` is a part of the total. */
export type OwnNext = { totalAmount: Amount; discountAmount: Amount; taxAmount: Amount };

/**
 * The next invoice of a Subscription as if it were not held: that of the renewal at the end of its period, by the
 * decision of the renewal (rules P8, V3). Null: no period follows. Changes no row.
 */
export function ownNextTotal(billing: CustomerBilling, subscription: Subscription): OwnNext | null {
  if (!renews(subscription)) return null;
  const { totalAmount, discountAmount, taxAmount } = nextPeriodOf(billing, subscription).totals;
  return { totalAmount, discountAmount, taxAmount };
}
