import { addDays24, type Instant, type Interval, type Period } from "../calendar.ts";
import type { FieldAnswer } from "./checkout-field.ts";
import type { HeldDiscount, PastDiscount, PendingDiscount } from "./discount.ts";
import type { ImportedFrom } from "./imported.ts";
import type { Metadata } from "./product.ts";
import type { Units } from "./quantity.ts";
import { isRefusedAt, lacksConsent, REMINDER_DAYS, type OwnPrice, type ScheduledPrice } from "./scheduled-price.ts";
import type { Billing, LineTax } from "../tax/tax.ts";

export const CANCELLATION_REASONS = [
  "too_expensive",
  "missing_features",
  "switched_service",
  "unused",
  "customer_service",
  "low_quality",
  "too_complex",
  "other",
] as const;
/**
 * Reasons that Billow sets: dunning ended, the Customer did not recognize the purchase, or did not agree to a new price
 * (rules D3c, C13, N6).
 */
export const OWN_REASONS = ["payment_failed", "unrecognized", "price_not_accepted"] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS | typeof OWN_REASONS)[number];
export type SubscriptionStatus = "trialing" | "active" | "past_due" | "paused" | "canceled";

/**
 * A scheduled change, at the price and the quantity that the buyer agreed to (rule P6). `groupKey` is the target
 * Product's. `amount`: the total of a period (rule Q4).
 */
export type PendingChange = Units & {
  productId: string;
  productName: string;
  groupKey: string | null;
  amount: number;
  interval: Interval;
  intervalCount: number;
  effectiveAt: Instant;
};

export const PAUSE_ACCESS = ["revoke", "keep"] as const;
/**
 * A pause that is scheduled for the end of the period, or has begun (rule S8). `resumesAt` null: until a request
 * resumes the Subscription. `access`: of the grants during the pause.
 */
export type Pause = { resumesAt: Instant | null; access: (typeof PAUSE_ACCESS)[number] };

export type Subscription = {
  organizationId: string;
  id: string;
  status: SubscriptionStatus;
  customerId: string;
  productId: string;
  checkoutId: string | null;
  groupKey: string | null;
  currency: string;
  /** Minor units for each period, as sold: the total of all units (rule Q4). */
  amount: number;
  /** Whole units, from 1 to 100,000 (rule Q1). */
  quantity: number;
  interval: Interval;
  intervalCount: number;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  periodNumber: number;
  anchorAt: Instant;
  anchorTimeZone: string;
  anchorIndex: number;
  /**
   * The rate at which the period in progress was billed, after discount, less refunds and lost disputes (rule P);
   * `paidTax` is its tax (rule X3). The rate falls below zero if the amount given back exceeds the rate that a change
   * had left.
   */
  paidRate: number;
  paidTax: LineTax | null;
  discount: HeldDiscount | null;
  /** The discount of the next period if it is another one, and the former discounts (rule X4). */
  pendingDiscount: PendingDiscount | null;
  pastDiscounts: readonly PastDiscount[];
  trialStart: Instant | null;
  trialEnd: Instant | null;
  cancelAtPeriodEnd: boolean;
  cancelAt: Instant | null;
  canceledAt: Instant | null;
  endedAt: Instant | null;
  cancellationReason: CancellationReason | null;
  cancellationComment: string | null;
  pendingChange: PendingChange | null;
  pause: Pause | null;
  /** The begins of the pauses of the last year (rule S8l). */
  pausesBegun: readonly Instant[];
  /** The new price that waits for its first period (rule N4). */
  priceChange: ScheduledPrice | null;
  /** A price that the catalogue does not set (rule N3). */
  ownPrice: OwnPrice | null;
  /** The subscription of another system from which this one was imported (rule V1). */
  imported: ImportedFrom | null;
  /** The values of the purchase's own fields (rule C14d); null: the purchase had none. */
  fieldAnswers: FieldAnswer[] | null;
  changeId: string | null;
  /** False: the buyer only typed an e-mail address, and neither Customer nor seller has acted on it yet (rule C12). */
  claimed: boolean;
  /** Whether there is no card to charge when the trial ends: the Subscription is then over (rule C2). */
  cardMissing: boolean;
  /** Whether a trial without a card goes on as of the last write, because no amount is due at its end (rule C2). */
  trialCovered: boolean;
  /** The Subscription's own card; null: the Customer's default card, if the Subscription is claimed. */
  paymentMethodId: string | null;
  /** The billing data of an unclaimed Subscription's buyer; null: the Customer's billing data. */
  billing: Billing | null;
  firstFailedAt: Instant | null;
  retryDays: number[] | null;
  retriesDone: number;
  nextRetryAt: Instant | null;
  graceEndsAt: Instant | null;
  grantsSuspended: boolean;
  accessEndsAt: Instant | null;
  /** The period end or the resume for which notice was given, or is not to be given any more (rules S6, S8i). */
  noticedUntil: Instant | null;
  /** The instant at which the Customer is asked for a card; null: the Customer is not asked (rule V21). */
  cardRequestAt: Instant | null;
  metadata: Metadata;
  startedAt: Instant;
  dueAt: Instant | null;
  simulated: boolean;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/**
 * All transitions of a Subscription's status, with their causes (rule S). The diagram in the docs is generated from
 * this table.
 */
export const TRANSITIONS = [
  { from: null, cause: "purchased", to: "active" },
  { from: null, cause: "trial_started", to: "trialing" },
  { from: "trialing", cause: "trial_ended", to: "active" },
  { from: "active", cause: "period_ended", to: "active" },
  { from: "active", cause: "charge_failed", to: "past_due" },
  { from: "past_due", cause: "period_ended", to: "past_due" },
  { from: "past_due", cause: "all_paid", to: "active" },
  { from: "past_due", cause: "dunning_exhausted", to: "canceled" },
  { from: "trialing", cause: "paused", to: "paused" },
  { from: "active", cause: "paused", to: "paused" },
  { from: "paused", cause: "resumed", to: "active" },
  { from: "trialing", cause: "ended", to: "canceled" },
  { from: "active", cause: "ended", to: "canceled" },
  { from: "past_due", cause: "ended", to: "canceled" },
  { from: "paused", cause: "ended", to: "canceled" },
] as const satisfies readonly { from: SubscriptionStatus | null; cause: string; to: SubscriptionStatus }[];

export type SubscriptionCause = (typeof TRANSITIONS)[number]["cause"];

/** @throws Error for a transition that is not in the table: a fault of ours, never of a caller. */
export function nextStatus(from: SubscriptionStatus | null, cause: SubscriptionCause): SubscriptionStatus {
  const transition = TRANSITIONS.find((each) => each.from === from && each.cause === cause);
  if (!transition) throw new Error(`a ${from ?? "new"} subscription can't be ${cause}`);
  return transition.to;
}

export const TRIAL_NOTICE_DAYS = 3;
export const RENEWAL_NOTICE_DAYS = 7;
export const RESUME_NOTICE_DAYS = 3;
/** Shorter periods recur too often for a notice. */
const LEAST_DAYS_ANNOUNCED = 30;
const DAYS: Record<Interval, number> = { day: 1, week: 7, month: 30, year: 365 };

function isAnnounced({ interval, intervalCount }: Period): boolean {
  return DAYS[interval] * intervalCount >= LEAST_DAYS_ANNOUNCED;
}

/** The instant that a notice announces: the planned resume, or the end of the period (rules S6, S8i). */
const announcedBy = ({ status, pause, currentPeriodEnd }: Subscription): Instant =>
  (status === "paused" ? pause?.resumesAt : null) ?? currentPeriodEnd;

/** The Subscription after its notice, whether given or dropped (rule S6). */
export const withoutNotice = (subscription: Subscription): Subscription => ({
  ...subscription,
  noticedUntil: announcedBy(subscription),
});

/** The instant of the notice of the end of a trial or a period, or of a resume (rules S6, S8i, S9d); null: none. */
export function noticeAt(subscription: Subscription): Instant | null {
  const { status, cancelAtPeriodEnd, currentPeriodStart: start, noticedUntil, pause } = subscription;
  const announced = announcedBy(subscription);
  if (cancelAtPeriodEnd || noticedUntil === announced || endsByPrice(subscription)) return null;
  if (status === "paused") return resumeNoticeAt(subscription);
  if (pause !== null) return null;
  const trial = addDays24(announced, -TRIAL_NOTICE_DAYS);
  if (status === "trialing") return trial > start ? trial : null;
  const isAhead = status === "active" && !subscription.grantsSuspended && isAnnounced(subscription);
  return isAhead ? addDays24(announced, -RENEWAL_NOTICE_DAYS) : null;
}

/** A pause of three days or less has no notice of its end (rule S8i). */
function resumeNoticeAt({ pause, currentPeriodEnd: began }: Subscription): Instant | null {
  const resumesAt = pause?.resumesAt ?? null;
  const notice = resumesAt === null ? null : addDays24(resumesAt, -RESUME_NOTICE_DAYS);
  return notice !== null && notice > began ? notice : null;
}

/** A notice is not given late: a change after the notice's instant drops it (rule S6). */
export function passNotice(subscription: Subscription, at: Instant): Subscription {
  const notice = noticeAt(subscription);
  return notice !== null && notice < at ? withoutNotice(subscription) : subscription;
}

/** Whether the Subscription began elsewhere, so that its first period was paid elsewhere. */
export const isImported = ({ startedAt, createdAt }: Pick<Subscription, "startedAt" | "createdAt">) =>
  startedAt < createdAt;

/** Whether another system still bills the Subscription: no work is due here, and no request changes it (rules V1, V2). */
export const isHeldForImport = ({ imported }: Pick<Subscription, "imported">): boolean => imported?.isHeld ?? false;

/**
 * Whether the period is over although no other one has begun: no period begins while dunning suspends the access, or
 * while the Subscription is paused (rules D8, S8e).
 */
export const isStalled = ({ status, grantsSuspended, currentPeriodEnd }: Subscription, at: Instant) =>
  status === "paused" || (grantsSuspended && currentPeriodEnd < at);

/** Whether the first charge since a resume is not settled: until then, the access stays suspended (rule S8h). */
export const isResuming = ({ status, grantsSuspended }: Subscription) => status === "active" && grantsSuspended;

/**
 * Whether the present period is the last one, or no period follows a pause with a planned resume, because the Customer
 * has not agreed to the new price (rule N6).
 */
export function endsByPrice(subscription: Subscription): boolean {
  const next = nextPeriodAt(subscription);
  return next !== null && isRefusedAt(subscription.priceChange, next);
}

/** Whether another period follows the present one, as planned now. */
export const renews = (each: Subscription): boolean =>
  each.status !== "canceled" && !each.cancelAtPeriodEnd && each.pause === null && !endsByPrice(each);

/**
 * Whether a retry that succeeds at its planned instant ends the Subscription: access is suspended and the period is
 * over by then, and the new price of the next one lacks the consent of the Customer (rules D8d, N6).
 */
export function endsWithRetry(subscription: Subscription): boolean {
  const { status, cancelAtPeriodEnd, nextRetryAt, graceEndsAt, currentPeriodEnd, priceChange } = subscription;
  if (status !== "past_due" || cancelAtPeriodEnd || nextRetryAt === null) return false;
  const isSuspended = subscription.grantsSuspended || (graceEndsAt !== null && graceEndsAt <= currentPeriodEnd);
  return (
    isStalled({ ...subscription, grantsSuspended: isSuspended }, nextRetryAt) && isRefusedAt(priceChange, nextRetryAt)
  );
}

/**
 * Whether the Customer is asked for a consent, because the Subscription ends without it (rule N6). With a pause that
 * has no planned resume, the page of the resume asks.
 */
export const awaitsConsent = (subscription: Subscription): boolean => {
  const { priceChange, cancelAtPeriodEnd } = subscription;
  const isAhead = priceChange !== null && !cancelAtPeriodEnd && nextPeriodAt(subscription) !== null;
  return isAhead && lacksConsent(priceChange);
};

/**
 * The instant of the reminder of a new price that needs a consent; null: there is none to give. A planned resume that
 * begins the price moves the reminder (rule N7).
 */
function priceReminderAt(subscription: Subscription): Instant | null {
  const { priceChange, pause } = subscription;
  const remindAt = priceChange?.remindAt ?? null;
  if (remindAt === null || !awaitsConsent(subscription)) return null;
  const resumesAt = pause?.resumesAt ?? null;
  return resumesAt === null ? remindAt : (Math.max(remindAt, addDays24(resumesAt, -REMINDER_DAYS)) as Instant);
}

/** The Subscription after its reminder of a new price, whether given or dropped (rule N7). */
export const withoutPriceReminder = (subscription: Subscription): Subscription => {
  const { priceChange } = subscription;
  return { ...subscription, priceChange: priceChange && { ...priceChange, remindAt: null } };
};

/** A reminder is not given late: a change after its instant drops it (rule N7). */
export function passPriceReminder(subscription: Subscription, at: Instant): Subscription {
  const remindAt = priceReminderAt(subscription) ?? subscription.priceChange?.remindAt ?? null;
  return remindAt !== null && remindAt < at ? withoutPriceReminder(subscription) : subscription;
}

/** The order of work that is due at one instant (rule T4). */
export const DUE_ORDER = [
  "end",
  "retry",
  "grace",
  "renewal",
  "pause",
  "resume",
  "notice",
  "price_reminder",
  "card_request",
] as const;
export type DueKind = (typeof DUE_ORDER)[number];

/**
 * The instant of the renewal; null: there is none. While access is suspended, no period begins (rule D8a), and a pause
 * comes in place of a renewal (rule S8d). If the end of the grace waits for the outcome of a retry, a renewal at or
 * after that end waits, too.
 */
export function renewalAt(subscription: Subscription): Instant | null {
  const { status, cancelAtPeriodEnd, grantsSuspended, nextRetryAt, graceEndsAt, currentPeriodEnd } = subscription;
  if (cancelAtPeriodEnd || grantsSuspended || subscription.pause !== null) return null;
  const isRetried = status === "past_due" && nextRetryAt === null;
  return isRetried && graceEndsAt !== null && graceEndsAt <= currentPeriodEnd ? null : currentPeriodEnd;
}

/**
 * The next due work on a Subscription; null: it is canceled, a change of it is being paid (rule P1), or it is held for
 * an import (rule V1).
 */
export function nextDue(subscription: Subscription): { at: Instant; kind: DueKind } | null {
  if (subscription.status === "canceled" || subscription.changeId || isHeldForImport(subscription)) return null;
  const past = subscription.status === "past_due";
  const paused = subscription.status === "paused";
  const { pause } = subscription;
  const due: { at: Instant | null; kind: DueKind }[] = [
    { at: subscription.cancelAtPeriodEnd ? subscription.cancelAt : null, kind: "end" },
    { at: past ? subscription.nextRetryAt : null, kind: "retry" },
    // A retry that is being paid may still save the access, so the end of the grace waits for its outcome (rule D4).
    {
      at: past && !subscription.grantsSuspended && subscription.nextRetryAt !== null ? subscription.graceEndsAt : null,
      kind: "grace",
    },
    { at: renewalAt(subscription), kind: "renewal" },
    { at: pause !== null && !paused ? subscription.currentPeriodEnd : null, kind: "pause" },
    { at: paused ? (pause?.resumesAt ?? null) : null, kind: "resume" },
    { at: noticeAt(subscription), kind: "notice" },
    { at: priceReminderAt(subscription), kind: "price_reminder" },
    { at: renews(subscription) ? subscription.cardRequestAt : null, kind: "card_request" },
  ];
  let next: { at: Instant; kind: DueKind } | null = null;
  for (const { at, kind } of due) {
    if (at !== null && (next === null || at < next.at)) next = { at, kind };
  }
  return next;
}

/**
 * The end of access as planned now: the end itself, a planned end, the begin of a pause, a trial's end without a card,
 * the end of a period or of a pause that no consented price follows, the grace's end (rules T4i, S8d, N6). A held
 * Subscription has access until it is given up: its stored period may be one of the past (rule V1).
 */
export function accessEndsAt(subscription: Subscription): Instant | null {
  if (isHeldForImport(subscription)) return subscription.endedAt;
  const { status, cardMissing, trialCovered, trialEnd, pause } = subscription;
  const planned = subscription.cancelAtPeriodEnd ? subscription.cancelAt : null;
  const paused = pause?.access === "revoke" ? subscription.currentPeriodEnd : null;
  const refused = endsByPrice(subscription) ? nextPeriodAt(subscription) : null;
  const unpaid = status === "trialing" && cardMissing && !trialCovered && pause === null ? trialEnd : null;
  const ends = [subscription.endedAt, planned, paused, refused, unpaid, subscription.graceEndsAt];
  const known = ends.filter((end) => end !== null);
  return known.length === 0 ? null : (Math.min(...known) as Instant);
}

/** The Subscription with the columns that are derived from its other columns. */
export function withDerived(subscription: Subscription): Subscription {
  return { ...subscription, dueAt: nextDue(subscription)?.at ?? null, accessEndsAt: accessEndsAt(subscription) };
}

/** Clears the columns of dunning. */
export const NO_DUNNING = {
  firstFailedAt: null,
  retryDays: null,
  retriesDone: 0,
  nextRetryAt: null,
  graceEndsAt: null,
  grantsSuspended: false,
} as const satisfies Partial<Subscription>;

/** Clears a scheduled cancellation (rule S1). */
export const NO_CANCELLATION = {
  cancelAtPeriodEnd: false,
  cancelAt: null,
  canceledAt: null,
  cancellationReason: null,
  cancellationComment: null,
} as const satisfies Partial<Subscription>;

/** The instant of a scheduled end; null: no end is scheduled (rule S1). */
export const scheduledEnd = ({ cancelAtPeriodEnd, cancelAt }: Subscription): Instant | null =>
  cancelAtPeriodEnd ? cancelAt : null;

/** The instant at which the next period begins, as planned now; null: no period begins by itself (rules S2, S8g). */
export const nextPeriodAt = ({ pause, currentPeriodEnd }: Subscription): Instant | null =>
  pause === null ? currentPeriodEnd : pause.resumesAt;

/** The instant of a pending change, as planned now: without a planned resume, the begin of the pause (rule S8f). */
export const changesAt = (subscription: Subscription): Instant =>
  nextPeriodAt(subscription) ?? subscription.currentPeriodEnd;
