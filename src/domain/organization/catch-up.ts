import type { Instant } from "../calendar.ts";
import type { Organization } from "../model/organization.ts";
import { planRenewal } from "../model/renewal.ts";
import { accessEndsAt, nextDue, type Subscription } from "../model/subscription.ts";

type CatchUpState = Pick<Organization, "mode" | "timeZone" | "catchUpSince" | "catchUpApprovedUntil">;

/** Whether no period follows: the end is planned, access is suspended, or the trial has no card to charge. */
function endsWithPeriod(subscription: Subscription): boolean {
  const { status, cancelAtPeriodEnd, grantsSuspended } = subscription;
  return cancelAtPeriodEnd || grantsSuspended || (status === "trialing" && accessEndsAt(subscription) !== null);
}

/**
 * The amounts of the periods that have begun by `now` and are not invoiced yet, in order. Each amount is after
 * discount, before tax and balance.
 */
export function* missedPeriods(
  subscription: Subscription,
  timeZone: string,
  now: Instant,
): Generator<number, undefined> {
  for (let current = subscription; current.currentPeriodEnd <= now && !endsWithPeriod(current);) {
    const { subscription: next, line } = planRenewal(current, { productName: "", unitName: null, timeZone, tax: null });
    yield line.amount - line.discountAmount;
    current = next;
  }
}

/**
 * Whether the due work of a Subscription waits for an operator (rules T4g, T4h, T4j). Work is held in a live
 * Organization if the clock has jumped, or if more than one of the Subscription's periods is over. Work that an
 * approval covers is not held.
 */
export function isHeld(organization: CatchUpState, subscription: Subscription, now: Instant): boolean {
  // A notice takes no money, so it is never held.
  const due = nextDue({ ...subscription, noticedUntil: subscription.currentPeriodEnd });
  if (organization.mode !== "live" || !due || due.at > now) return false;
  if (organization.catchUpApprovedUntil !== null && due.at <= organization.catchUpApprovedUntil) return false;
  if (organization.catchUpSince !== null) return true;
  const missed = missedPeriods(subscription, organization.timeZone, now);
  return !missed.next().done && !missed.next().done;
}
