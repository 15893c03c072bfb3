import type { Instant } from "../calendar.ts";
import type { Organization } from "./organization.ts";
import { planRenewal } from "../subscription/renewal.ts";
import { accessEndsAt, nextDue, type Subscription } from "../subscription/subscription.ts";

type Place = Pick<Organization, "mode" | "timeZone" | "catchUpSince" | "catchUpApprovedUntil">;

/** A planned end, or that of a trial which nothing can be charged for: no period follows. */
function endsWithPeriod(subscription: Subscription): boolean {
  return subscription.cancelAtPeriodEnd || (subscription.status === "trialing" && accessEndsAt(subscription) !== null);
}

/** The periods that have begun by `now` and are not invoiced yet, in order: what each comes to after discount, before tax and balance. */
export function* missedPeriods(subscription: Subscription, timeZone: string, now: Instant): Generator<number, undefined> {
  for (let current = subscription; current.currentPeriodEnd <= now && !endsWithPeriod(current);) {
    const { subscription: next, line } = planRenewal(current, { productName: "", timeZone, tax: null });
    yield line.amount - line.discountAmount;
    current = next;
  }
}

/**
 * Whether what is due on a Subscription waits for an operator (rule T4): in a live Organization, where more than one of its periods is
 * over, or the clock has jumped; but not what was due by an approval.
 */
export function isHeld(organization: Place, subscription: Subscription, now: Instant): boolean {
  // A notice takes nothing from anybody.
  const due = nextDue({ ...subscription, noticedUntil: subscription.currentPeriodEnd });
  if (organization.mode !== "live" || !due || due.at > now) return false;
  if (organization.catchUpApprovedUntil !== null && due.at <= organization.catchUpApprovedUntil) return false;
  if (organization.catchUpSince !== null) return true;
  const missed = missedPeriods(subscription, organization.timeZone, now);
  return !missed.next().done && !missed.next().done;
}
