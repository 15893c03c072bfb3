import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import type { Bill } from "../invoice/bills.ts";
import { collectOwed } from "../collection/failure.ts";
import { makeNextInvoice } from "../collection/next-invoice.ts";
import { recovered } from "../collection/restart.ts";
import { changesAt, type Subscription } from "../model/subscription.ts";
import { hasNextPeriod, isSuspended } from "./period-end.ts";

/** The invoice at the end of a Subscription's period or pause, at the instant `at`. */
export type NextBill = { subscription: Subscription; at: Instant; bill: Bill };

/** More Subscriptions than that are left out: each one may need further rows. */
const MOST_SUBSCRIPTIONS = 5;
/** A plan that is paid by the day may renew very often before another plan does. */
const MOST_STEPS = 40;

/** A Subscription without access renews as if its open invoices were paid before, as `previewPeriodEnds` has it. */
const inGoodStanding = (subscription: Subscription): Subscription =>
  isSuspended(subscription) ? recovered(subscription) : subscription;

const earliest = (queue: readonly Subscription[]): Subscription =>
  queue.reduce((first, each) => (changesAt(each) < changesAt(first) ? each : first));

/**
 * The next invoice of each live Subscription, if no other event comes before (rule P8). The invoices are made by the
 * renewal or the resume itself, in the order of their days, so an earlier invoice uses the balance first. The call ends
 * periods and pauses in the billing.
 */
export function nextBillsOf(billing: CustomerBilling): NextBill[] {
  const live = liveSubscriptions(billing).filter((each) => hasNextPeriod(each, billing.now));
  let queue = live.slice(0, MOST_SUBSCRIPTIONS).map(inGoodStanding);
  const waiting = new Map(queue.map((subscription) => [subscription.id, subscription]));
  const found: NextBill[] = [];
  for (let step = 0; step < MOST_STEPS && waiting.size > 0; step += 1) {
    const next = earliest(queue);
    const bill = makeNextInvoice(billing, next);
    collectOwed(billing, bill);
    const subscription = waiting.get(next.id);
    if (subscription && bill && bill.invoice.status !== "void")
      found.push({ subscription, at: changesAt(subscription), bill });
    waiting.delete(next.id);
    const after = billing.subscriptions.get(next.id);
    queue = queue.flatMap((each) => (each.id !== next.id ? [each] : after?.status === "canceled" ? [] : (after ?? [])));
  }
  return found;
}
