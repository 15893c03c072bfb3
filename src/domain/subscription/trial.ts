import type { CustomerBilling } from "../billing/customer-billing.ts";
import { queueEmail } from "../billing/record.ts";
import type { Instant } from "../calendar.ts";
import { requireNoChange } from "../collection/change-refusal.ts";
import { claimWithItsCard } from "../collection/claim.ts";
import { recordSubscription } from "../collection/record-subscription.ts";
import type { Subscription } from "../model/subscription.ts";
import { planTrial } from "../model/trial.ts";
import { Refusal } from "../refusal.ts";

/** Moves the end of a trial to a later instant (rules S9, S9e). @throws Refusal 409, 422 */
export function extendTrial(billing: CustomerBilling, subscription: Subscription, end: Instant): Subscription {
  requireNoChange(billing, subscription);
  const plan = planTrial(subscription, end);
  if ("refusal" in plan) throw new Refusal(plan.refusal);
  if ("outOfRange" in plan) throw new Refusal("trial_out_of_range", { field: "/trialEnd", ...plan.outOfRange });
  if ("unchanged" in plan) return subscription;
  const changed = { ...claimWithItsCard(billing, subscription), ...plan.change };
  const type = "subscription.updated";
  const next = recordSubscription(billing, changed, type, billing.now);
  queueEmail(billing, { type, subscription: next, trialEnd: end }, billing.now);
  return next;
}
