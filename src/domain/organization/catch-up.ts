import type { Instant } from "../calendar.ts";
import type { Organization } from "../model/organization.ts";
import { withNewPrice } from "../model/price-change.ts";
import { planRenewal } from "../model/renewal.ts";
import { isRefusedAt } from "../model/scheduled-price.ts";
import {
  accessEndsAt,
  nextDue,
  withoutNotice,
  withoutPriceReminder,
  type Subscription,
} from "../model/subscription.ts";

type CatchUpState = Pick<Organization, "mode" | "timeZone" | "catchUpSince" | "catchUpApprovedUntil">;

/**
 * The begin of the next period; null: no period follows, because the end is planned, access is suspended, the trial has
 * no card to charge, no resume is planned, or the Customer has not agreed to the new price (rules S8, N6).
 */
function nextBegin(subscription: Subscription): Instant | null {
  const { status, cancelAtPeriodEnd, grantsSuspended, pause, priceChange } = subscription;
  const hasEnd = status === "trialing" && accessEndsAt(subscription) !== null;
  const isOver = cancelAtPeriodEnd || grantsSuspended || hasEnd;
  const begin = pause !== null ? pause.resumesAt : isOver ? null : subscription.currentPeriodEnd;
  return begin !== null && isRefusedAt(priceChange, begin) ? null : begin;
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
  const facts = { productName: "", unitName: null, timeZone, tax: null };
  let current = subscription;
  for (let at = nextBegin(current); at !== null && at <= now; at = nextBegin(current)) {
    const paused = current.pause === null ? {} : { status: "paused" as const };
    const { subscription: next, line } = planRenewal({ ...withNewPrice(current, at), ...paused }, facts, at);
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
  // A notice takes no money, so it is never held. Nor is the request for a card.
  const due = nextDue({ ...withoutPriceReminder(withoutNotice(subscription)), cardRequestAt: null });
  if (organization.mode !== "live" || !due || due.at > now) return false;
  if (organization.catchUpApprovedUntil !== null && due.at <= organization.catchUpApprovedUntil) return false;
  if (organization.catchUpSince !== null) return true;
  const missed = missedPeriods(subscription, organization.timeZone, now);
  return !missed.next().done && !missed.next().done;
}
