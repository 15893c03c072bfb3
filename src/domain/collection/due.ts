import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { recordSubscription, trialsToUpdate } from "./record-subscription.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";
import { isHeld } from "../organization/catch-up.ts";
import type { Slice } from "../organization/clock.ts";
import { retryInvoices } from "./dunning.ts";
import { collectOwed } from "./failure.ts";
import { announcedAt, announceExpiry, cardsDue, goingOnWith, knowsCards } from "./expiry.ts";
import type { PaymentMethod } from "../model/payment.ts";
import { requestCard } from "./card-request.ts";
import { finishPeriod } from "./renew.ts";
import { remindOfPrice } from "./price-change.ts";
import {
  DUE_ORDER,
  nextDue,
  withoutNotice,
  type DueKind,
  type Subscription,
  type SubscriptionStatus,
} from "../model/subscription.ts";
import { beginPause, resumeAsPlanned } from "./pause.ts";

/** `id`: the id of the Subscription or card. */
type Due = { id: string; at: Instant } & (
  | { subscription: Subscription; kind: DueKind }
  | { card: PaymentMethod; kind: "card" }
);
/** The order of work that is due at one instant (rule T4). */
const ORDER: readonly Due["kind"][] = [...DUE_ORDER, "card"];

/**
 * The most due items in one transaction. Ten items take a third of a second, so no request waits longer than that for a
 * step of its Organization's clock or for its own due work.
 */
export const MOST_AT_ONCE = 10;

/**
 * Thrown if the Customer has more due items than one transaction may carry out (rule T5i). A separate transaction has
 * to carry out some of the items first.
 */
export class MuchDue extends Error {}

/**
 * The Customer's due items up to `until`, one for each Subscription and card, without those in `except`. The items are
 * sorted by instant, then in their order (rules T4a, T4c).
 */
function dueOf(
  billing: Pick<CustomerBilling, "cards" | "loaded" | "subscriptions">,
  until: Instant,
  except: ReadonlySet<string>,
): Due[] {
  const due: Due[] = [];
  for (const subscription of liveSubscriptions(billing)) {
    const next = nextDue(subscription);
    if (next && next.at <= until && !except.has(subscription.id))
      due.push({ id: subscription.id, subscription, ...next });
  }
  for (const card of cardsDue(billing, until))
    if (!except.has(card.id)) due.push({ id: card.id, at: card.dueAt!, kind: "card", card });
  return due.sort((one, other) => one.at - other.at || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

function carryOut(billing: CustomerBilling, due: Due): void {
  const { at } = due;
  if (due.kind === "card") return announceExpiry(billing, due.card, at);
  const { subscription } = due;
  switch (due.kind) {
    case "end":
    case "renewal":
      return collectOwed(billing, finishPeriod(billing, subscription));
    case "retry": {
      const tried = recordSubscription(billing, { ...subscription, nextRetryAt: null }, null, at);
      return retryInvoices(billing, tried, billing.now, "retry");
    }
    case "grace": {
      const suspended = recordSubscription(billing, { ...subscription, grantsSuspended: true }, null, at);
      return syncSubscriptionGrants(billing, suspended, "payment_failed", at);
    }
    case "pause":
      return beginPause(billing, subscription);
    case "resume":
      return collectOwed(billing, resumeAsPlanned(billing, subscription, at));
    case "notice":
      return giveNotice(billing, subscription, at);
    case "price_reminder":
      return remindOfPrice(billing, subscription, at);
    case "card_request":
      return requestCard(billing, subscription, at);
  }
}

const NOTICES = {
  trialing: "subscription.trial_ending",
  paused: "subscription.resume_upcoming",
} as const satisfies Partial<Record<SubscriptionStatus, EventType>>;

/** Gives notice of the end of a trial or period, or of the resume (rules S6, S8i). */
function giveNotice(billing: CustomerBilling, subscription: Subscription, at: Instant): void {
  const { status } = subscription;
  const type = status === "trialing" || status === "paused" ? NOTICES[status] : "subscription.renewal_upcoming";
  recordSubscription(billing, withoutNotice(subscription), type, at);
}

/**
 * Carries out at most `most` due items up to `until`, in order; the rest stays due. Returns the number of items done.
 */
export function runFirst(billing: CustomerBilling, until: Instant, most = MOST_AT_ONCE): number {
  for (let done = 0; done < most; done += 1) {
    const [due] = dueOf(billing, until, new Set());
    if (!due) return done;
    carryOut(billing, due);
  }
  return most;
}

/**
 * Carries out a Customer's items in a slice of an advance (`planSlice`), with the items' instant `at` as billing time.
 * `clock`: the time of the clock before the slice. Items from before this time are charged as of this time (rules T4e,
 * T5h). At the last instant of a slice at most ten items are done, and the rest stays due. Returns the number of items
 * done: 0 for a deleted Customer.
 */
export function runInSlice(billing: CustomerBilling, at: Instant, slice: Pick<Slice, "to">, clock: Instant): number {
  if (billing.customer.deletedAt !== null) return 0;
  const most = at < slice.to ? Infinity : MOST_AT_ONCE;
  return billing.asOf(at > clock ? at : clock, () => runFirst(billing, at, most));
}

/**
 * Carries out a Customer's due items up to `until` in order, each as of its own instant. A Subscription that has to
 * wait for an operator is held instead, and stays due (rules T3, T4a, T4g). Charges are recorded, not waited for.
 * Returns the number of items that were done or held.
 * @throws MuchDue if more than ten items are due in a sandbox with a set clock (rule T5)
 */
export function runDue(billing: CustomerBilling, until: Instant = billing.now): number {
  const isBounded = billing.organization.clockAt !== null;
  for (let done = 0; ; done += 1) {
    const [first, ...others] = dueOf(billing, until, billing.held);
    if (!first) return done;
    if (isBounded && done + others.length >= MOST_AT_ONCE) throw new MuchDue();
    if (first.kind !== "card" && isHeldBack(billing, first.subscription)) billing.held.add(first.id);
    else carryOut(billing, first);
  }
}

/** Whether the due work of a Subscription waits for an operator (rule T4). */
function isHeldBack(billing: Pick<CustomerBilling, "loaded" | "now">, subscription: Subscription): boolean {
  const { organization, unseenSince } = billing.loaded;
  // A request may come before a worker has recorded a jump of the clock.
  const catchUpSince = organization.catchUpSince ?? unseenSince;
  return isHeld({ ...organization, catchUpSince }, subscription, billing.now);
}

/** Whether a sandbox's clock stands still: no worker sweeps such a sandbox (rule T1d). */
export const isAtRest = ({ organization: { clockAt, clockTarget } }: Pick<CustomerBilling, "organization">) =>
  clockAt !== null && clockTarget === null;

/**
 * Ids of the Subscriptions and cards with due work that a stopped advance has left. That work waits for the next
 * advance or request (rules T5f, T5k).
 */
export function leftAtRest(billing: CustomerBilling): ReadonlySet<string> {
  const due = isAtRest(billing) ? dueOf(billing, billing.now, new Set()) : [];
  return new Set(due.map(({ id }) => id));
}

/**
 * Carries out the work that a write has just made due, if the clock stands still. `left`: Subscriptions and
 * cards that were due before the write; these stay due.
 */
export function runDueAtRest(billing: CustomerBilling, left: ReadonlySet<string> = new Set()): void {
  if (!isAtRest(billing)) return;
  for (let [due] = dueOf(billing, billing.now, left); due; [due] = dueOf(billing, billing.now, left))
    carryOut(billing, due);
}

/**
 * Sets the end of access of trials without a card after a decision, which may have changed the balance, a price or the
 * tax (rule C2).
 */
export function updateTrials(billing: CustomerBilling): void {
  for (const trial of trialsToUpdate(billing)) recordSubscription(billing, trial, null, billing.now);
}

/**
 * Sets the due instants of the Customer's cards after a decision: a card is due if a Subscription goes on with it. An
 * announcement that is late already is made at once (rule D11e).
 */
export function planAnnouncements(billing: CustomerBilling): void {
  if (!knowsCards(billing)) return;
  const { organization, now } = billing;
  const going = goingOnWith(billing);
  for (const card of billing.cards.where(({ id, dueAt }) => dueAt !== null || going.has(id))) {
    const isWanted = going.has(card.id) && !card.expiryAnnounced;
    if (isWanted === (card.dueAt !== null)) continue;
    const dueAt = isWanted ? announcedAt(card, organization.timeZone, now) : null;
    if (dueAt !== null && dueAt <= now) announceExpiry(billing, card, now);
    else if (dueAt !== card.dueAt) billing.cards.put({ ...card, dueAt });
  }
}
