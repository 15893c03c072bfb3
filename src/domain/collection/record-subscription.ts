import type { CustomerBilling } from "../billing/customer-billing.ts";
import { record, queueEmail } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";
import { nextPeriodOf } from "./next-period.ts";
import { passNotice, passPriceReminder, withDerived, type Subscription } from "../model/subscription.ts";

/**
 * The Subscription with `trialCovered` as of now: whether the trial without a card goes on at its end, because no
 * amount is due for the first paid period. The end of the trial decides in the same way (rule C2).
 */
function withTrialCover(billing: CustomerBilling, subscription: Subscription): Subscription {
  const isInQuestion = subscription.status === "trialing" && subscription.cardMissing;
  const trialCovered = isInQuestion && nextPeriodOf(billing, subscription).totals.amountDue === 0;
  return trialCovered === subscription.trialCovered ? subscription : { ...subscription, trialCovered };
}

/** The trials of which the end of access is no longer the stored one, as they are now. */
export function trialsToUpdate(billing: CustomerBilling): Subscription[] {
  const trials = billing.subscriptions.where(({ status }) => status === "trialing");
  return trials.filter((trial) => withTrialCover(billing, trial) !== trial);
}

/** Each write computes the Subscription's due instant and end of access again. */
export function recordSubscription(
  billing: CustomerBilling,
  row: Subscription,
  type: EventType | null,
  at: Instant,
): Subscription {
  const next = record(
    billing,
    withDerived(withTrialCover(billing, passPriceReminder(passNotice(row, at), at))),
    type,
    at,
    (written) => ({
      kind: "subscription",
      row: written,
    }),
  );
  billing.subscriptions.put(next);
  if (type) queueEmail(billing, { type, subscription: next }, at);
  return next;
}
