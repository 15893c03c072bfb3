import type { CustomerBilling } from "../billing/customer-billing.ts";
import { queueEmail } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { cardReminder, requestAfterFree } from "../model/card-request.ts";
import { noticeAt, type Subscription } from "../model/subscription.ts";
import { cardOf } from "../payment/card.ts";
import { nextPeriodOf } from "./next-period.ts";
import { recordSubscription } from "./record-subscription.ts";

/** The notice of a trial's end asks for a card, too, unless that notice is switched off (rule V21b). */
const isAskedByNotice = ({ organization }: CustomerBilling, { status }: Subscription) =>
  status === "trialing" && !organization.emailsOff.includes("trial_ending");

/** Whether the notice of a trial's end is given at the same instant. The instant is that of a notice already given, too. */
const isWithNotice = (billing: CustomerBilling, subscription: Subscription, at: Instant) =>
  isAskedByNotice(billing, subscription) && noticeAt({ ...subscription, noticedUntil: null }) === at;

/** The instant of the next request after one at `at`; null: there is none (rules V21a, V21b, V21c). */
function requestAfter(billing: CustomerBilling, subscription: Subscription, at: Instant, isDue: boolean) {
  const reminder = isAskedByNotice(billing, subscription) ? null : cardReminder(subscription, at);
  return reminder ?? (isDue ? null : requestAfterFree(subscription, at));
}

/** Asks for a card if the next charge lacks one, and plans the next request (rules V21 to V21c). */
export function requestCard(billing: CustomerBilling, subscription: Subscription, at: Instant): void {
  const { currentPeriodEnd: chargedAt } = subscription;
  const hasCard = cardOf(billing, subscription) !== null;
  const isDue = nextPeriodOf(billing, subscription).totals.amountDue > 0;
  const cardRequestAt = hasCard ? null : requestAfter(billing, subscription, at, isDue);
  const asked = recordSubscription(billing, { ...subscription, cardRequestAt }, null, at);
  if (hasCard || !isDue || isWithNotice(billing, subscription, at)) return;
  queueEmail(billing, { type: "subscription.updated", subscription: asked, chargedAt }, at);
}
