import type { Account } from "../billing/customer-billing.ts";
import { openInvoicesOf } from "../invoice/bills.ts";
import { sumOf, type Amount } from "../money.ts";
import { nextPeriodOf } from "./next-period.ts";
import { recovered } from "./restart.ts";
import { isStalled, type Subscription } from "../model/subscription.ts";

/**
 * The price of coming back while the former period is over (rule D8). `owed`: the amount due of all owed invoices;
 * `amountDue`: that of the new period, which is `next`.
 */
export type RestartPreview = { owed: Amount; amountDue: Amount; next: Subscription; productName: string };

/**
 * Previews the restart as if it was paid now; null: the Subscription's period is not over, or access is not suspended.
 * `payingId`: an invoice that is paid, too, even if it is held (rule D9).
 */
export function previewRestart(
  account: Account,
  subscription: Subscription,
  payingId: string | null = null,
): RestartPreview | null {
  if (!isStalled(subscription, account.now)) return null;
  const open = openInvoicesOf(account, subscription.id);
  const paid = open.filter(({ id, heldReason }) => heldReason === null || id === payingId);
  const owed = sumOf(paid.map(({ amountDue }) => amountDue));
  const { plan, totals } = nextPeriodOf(account, recovered(subscription), account.now);
  return { owed, amountDue: totals.amountDue, next: plan.subscription, productName: plan.line.description };
}
