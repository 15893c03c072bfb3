import type { Context } from "../../context.ts";
import { liveSubscriptions } from "../../domain/billing/customer-billing.ts";
import type { Balance } from "../../domain/model/balance.ts";
import { balancesOf } from "../../domain/balance/move.ts";
import { unfinishedOf, type Unfinished } from "../../domain/checkout/unfinished-checkouts.ts";
import { nextBillsOf, type NextBill } from "../../domain/subscription/next-bills.ts";
import { outlooksOf, type Outlook } from "../../domain/subscription/outlook.ts";
import { lastOf } from "../../domain/subscription/period-end.ts";
import { awaitsConsent, isHeldForImport, isStalled, type Subscription } from "../../domain/model/subscription.ts";
import { readCustomerBilling } from "../customer-billing.ts";

/**
 * The payments of a Customer that are still to come, by Subscription id. `pastDue`: all past-due Subscriptions.
 * `awaiting`: all Subscriptions that end unless the Customer agrees to a new price.
 * `balances`: those that are not 0. `unfinished`: the Checkouts that are being paid.
 */
export type Prospects = {
  outlooks: Map<string, Outlook>;
  pastDue: Subscription[];
  awaiting: Subscription[];
  balances: Balance[];
  unfinished: Unfinished[];
};

/** Reads the prospects of the live Subscriptions among these ids, and of all past-due ones (rule P8). */
export function readProspects(
  ctx: Context,
  organizationId: string,
  customerId: string,
  ids: readonly string[],
): Promise<Prospects> {
  const wanted = new Set(ids);
  return readCustomerBilling(ctx, { organizationId, id: customerId }, (billing) => {
    const live = liveSubscriptions(billing);
    const pastDue = live.filter(({ status }) => status === "past_due");
    const shown = live.filter(({ id, status }) => status === "past_due" || wanted.has(id));
    const balances = balancesOf(billing).filter(({ amount }) => amount !== 0);
    // The page that takes the payment asks for the consent to a price that is due without a period in progress.
    const awaiting = live.filter(
      (each) => awaitsConsent(each) && (each.pause !== null || !isStalled(each, billing.now)),
    );
    return { outlooks: outlooksOf(billing, shown), pastDue, awaiting, balances, unfinished: unfinishedOf(billing) };
  });
}

/** The next invoices of the live Subscriptions, made by the renewal on a snapshot (rule P8). @throws Refusal 404 */
export const readNextBills = (ctx: Context, organizationId: string, id: string): Promise<NextBill[]> =>
  readCustomerBilling(ctx, { organizationId, id }, nextBillsOf);

/**
 * The amount that would be charged at the end of a live Subscription, if the Subscription ended with its period
 * (rule S4), in minor units; 0: there is no charge.
 */
export function readLastCharge(ctx: Context, { organizationId, id, customerId }: Subscription): Promise<number> {
  return readCustomerBilling(ctx, { organizationId, id: customerId }, (billing) => {
    const found = billing.subscriptions.get(id);
    const isCharged = found && found.changeId === null && !isHeldForImport(found);
    const last = isCharged ? lastOf(billing, found) : null;
    return last?.paidBy === "charge" ? last.amountDue : 0;
  });
}
