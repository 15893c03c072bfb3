import { addCalendar, addDays24, type Instant } from "../calendar.ts";
import type { PortalPause } from "./portal-settings.ts";
import { changesAt, type Pause, type Subscription } from "./subscription.ts";

/**
 * The longest time from the begin of a pause to a planned resume, in years. Cards are valid for three to five years, so
 * later a charge would usually find an expired card (rule S8b).
 */
export const MOST_PAUSE_YEARS = 3;

export type PauseRefusal =
  | "subscription_canceled"
  | "change_in_progress"
  | "subscription_cancellation_scheduled"
  | "subscription_past_due"
  | "invoice_open";

/**
 * The columns that a request to pause sets. `outOfRange`: `resumesAt` is not after `after`, or is after `latest`
 * (rule S8b).
 */
export type PausePlan =
  | { refusal: PauseRefusal }
  | { outOfRange: { after: Instant; latest: Instant } }
  | { unchanged: true }
  | { change: Pick<Subscription, "pause" | "pendingChange"> };

/** The pending change waits for the next period (rules S8f, D8e). */
function withPause(subscription: Subscription, pause: Pause | null): Pick<Subscription, "pause" | "pendingChange"> {
  const { pendingChange } = subscription;
  const effectiveAt = changesAt({ ...subscription, pause });
  return { pause, pendingChange: pendingChange && { ...pendingChange, effectiveAt } };
}

function refusalOf(subscription: Subscription, hasOpenInvoice: boolean): PauseRefusal | null {
  if (subscription.status === "canceled") return "subscription_canceled";
  if (subscription.changeId) return "change_in_progress";
  if (subscription.cancelAtPeriodEnd) return "subscription_cancellation_scheduled";
  if (subscription.status === "past_due") return "subscription_past_due";
  return hasOpenInvoice ? "invoice_open" : null;
}

/**
 * Schedules a pause for the end of the period or of the trial, or changes a pause that is scheduled or has begun
 * (rules S8a, S8b, S8c).
 */
export function planPause(
  subscription: Subscription,
  asked: Pause,
  { hasOpenInvoice, now }: { hasOpenInvoice: boolean; now: Instant },
): PausePlan {
  const refusal = refusalOf(subscription, hasOpenInvoice);
  if (refusal) return { refusal };
  const { pause, currentPeriodEnd: begins } = subscription;
  const { resumesAt, access } = asked;
  if (pause?.resumesAt === resumesAt && pause.access === access) return { unchanged: true };
  const after = now > begins ? now : begins;
  const latest = addCalendar(begins, "UTC", `P${MOST_PAUSE_YEARS}Y`);
  if (resumesAt !== null && (resumesAt <= after || resumesAt > latest)) return { outOfRange: { after, latest } };
  return { change: withPause(subscription, { resumesAt, access }) };
}

/** The columns of a Subscription whose pause is undone before the pause begins (rule S8a). */
export const withoutPause = (subscription: Subscription) => withPause(subscription, null);

/** The reason why an immediate change is refused during a pause, and before one (rule S8f). */
export const pausedRefusal = ({ status }: Subscription) =>
  status === "paused" ? ("subscription_paused" as const) : ("subscription_pause_scheduled" as const);

const DAYS_A_YEAR = 365;

/** The begins of the pauses within the 365 days before `now` (rule S8l). */
export const begunLately = ({ pausesBegun }: Pick<Subscription, "pausesBegun">, now: Instant): Instant[] =>
  pausesBegun.filter((begun) => begun > addDays24(now, -DAYS_A_YEAR));

/**
 * The longest pause that a Customer may make in the portal, in months; 0: none, because the seller allows none, the
 * year has had its pauses, or no pause is possible now (rules S8c, S8l).
 */
export function longestPause(subscription: Subscription, settings: PortalPause | null, now: Instant): number {
  const { status, pause, cancelAtPeriodEnd, changeId, grantsSuspended } = subscription;
  const isFit = (status === "active" && !grantsSuspended) || status === "trialing";
  if (settings === null || !isFit || pause !== null || cancelAtPeriodEnd || changeId !== null) return 0;
  return begunLately(subscription, now).length < settings.perYear ? settings.longestMonths : 0;
}
