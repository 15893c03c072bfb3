import type { CustomerBilling } from "../billing/customer-billing.ts";
import { queueEmail } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { cardReminder } from "../model/card-request.ts";
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

/** Asks for a card if the next charge lacks one, and plans the reminder (rules V21, V21a, V21b). */
export function requestCard(billing: CustomerBilling, subscription: Subscription, at: Instant): void {
  const { currentPeriodEnd: chargedAt } = subscription;
  const hasCard = cardOf(billing, subscription) !== null;
  const cardRequestAt = hasCard || isAskedByNotice(billing, subscription) ? null : cardReminder(subscription, at);
  const asked = recordSubscription(billing, { ...subscription, cardRequestAt }, null, at);
  if (hasCard || isWithNotice(billing, subscription, at)) return;
  if (nextPeriodOf(billing, subscription).totals.amountDue === 0) return;
  queueEmail(billing, { type: "subscription.updated", subscription: asked, chargedAt }, at);
}
