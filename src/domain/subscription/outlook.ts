import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { openInvoicesOf } from "../invoice/bills.ts";
import type { Invoice } from "../model/invoice.ts";
import { liveAttempt } from "../payment/attempt.ts";
import { cardOf, unhinderedCardOf } from "../payment/card.ts";
import type { Payment, PaymentMethod } from "../model/payment.ts";
import { isChangePossible } from "../collection/pending-change.ts";
import { pendingChangeOf } from "../model/price-change.ts";
import { previewPeriodEnds, type PeriodEnd } from "./period-end.ts";
import { previewRestart, type RestartPreview } from "../collection/restart.ts";
import type { PendingChange, Subscription } from "../model/subscription.ts";

/** An invoice that is not paid. `attempt`: the unsettled attempt at this invoice; null: there is none. */
export type OpenInvoice = { invoice: Invoice; attempt: Payment | null };

/** The payments of a live Subscription that are still to come, as of `now` (billing time). */
export type Outlook = {
  now: Instant;
  /** Oldest first. */
  open: OpenInvoice[];
  /** The price of coming back; null: the period is not over, or access is not suspended (rule D8). */
  restart: RestartPreview | null;
  /** The change at the end of the period. A cancellation drops the pending change, and so does rule P6. */
  change: PendingChange | null;
  /** The card for the Subscription's charges (rule C12f); null: there is no card that may be charged. */
  card: PaymentMethod | null;
  /** The card of the next retry; null: there is no card that may be charged off-session. */
  retryCard: PaymentMethod | null;
  /** The invoice at the end of the period; null: there is none. */
  end: PeriodEnd | null;
};

/** The open invoices, oldest first. `held`: those that wait for an operator (rule D9). */
export function owedOf({ open }: Pick<Outlook, "open">): { owed: OpenInvoice[]; held: OpenInvoice[] } {
  const isHeld = ({ invoice }: OpenInvoice) => invoice.heldReason !== null;
  return { owed: open.filter((each) => !isHeld(each)), held: open.filter(isHeld) };
}

/** The outlooks of these Subscriptions, by id. The call may end periods in the billing, so the billing is not kept. */
export function outlooksOf(billing: CustomerBilling, subscriptions: readonly Subscription[]): Map<string, Outlook> {
  const { now } = billing;
  const outlooks = subscriptions.map((subscription) => {
    const { cancelAtPeriodEnd } = subscription;
    const open = openInvoicesOf(billing, subscription.id).map((invoice) => {
      return { invoice, attempt: liveAttempt(billing, invoice.id) };
    });
    return {
      now,
      open,
      restart: cancelAtPeriodEnd ? null : previewRestart(billing, subscription),
      change: !cancelAtPeriodEnd && isChangePossible(billing, subscription) ? pendingChangeOf(subscription) : null,
      card: cardOf(billing, subscription),
      retryCard: unhinderedCardOf(billing, subscription),
    };
  });
  const ends = previewPeriodEnds(billing, subscriptions);
  return new Map(subscriptions.map(({ id }, n) => [id, { ...outlooks[n]!, end: ends.get(id) ?? null }]));
}
