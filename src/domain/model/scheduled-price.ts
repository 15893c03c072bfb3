import { addDays24, type Instant } from "../calendar.ts";

export const CONSENTS = ["notice", "required"] as const;
/** `required`: the Customer has to agree to the new price, or the Subscription ends (rule N6). */
export type Consent = (typeof CONSENTS)[number];

/**
 * A new price of a unit that waits on its Subscription (rule N4). `unitAmount`: minor units, fixed at the notice.
 * `effectiveAt`: the first period that begins then or later has the price. `remindAt`: the instant of the reminder;
 * null: there is no reminder to give (rule N7).
 */
export type ScheduledPrice = {
  priceChangeId: string;
  unitAmount: number;
  effectiveAt: Instant;
  consent: Consent;
  consentedAt: Instant | null;
  remindAt: Instant | null;
};

/** The price of a unit that a request without a Checkout has set. No price change moves it (rule N3). */
export type OwnPrice = { productId: string; unitAmount: number };

export const REMINDER_DAYS = 7;

/** The instant of the reminder; null: the notice itself comes as late as that, or no consent is needed (rule N7). */
export function reminderBefore(effectiveAt: Instant, consent: Consent, now: Instant): Instant | null {
  const remindAt = addDays24(effectiveAt, -REMINDER_DAYS);
  return consent === "required" && remindAt > now ? remindAt : null;
}

/** Whether the price lacks the consent of the Customer that it needs (rule N6). */
export const lacksConsent = ({ consent, consentedAt }: ScheduledPrice): boolean =>
  consent === "required" && consentedAt === null;

/** The begin of a new price as planned now: its first day, or a later planned resume (rules N5, N6). */
export const priceBeginsAt = (
  { pause }: { pause: { resumesAt: Instant | null } | null },
  { effectiveAt }: ScheduledPrice,
): Instant => Math.max(effectiveAt, pause?.resumesAt ?? effectiveAt) as Instant;

/** Whether no period may begin at `at`, because the Customer has not agreed to the price (rule N6). */
export const isRefusedAt = (price: ScheduledPrice | null, at: Instant): boolean =>
  price !== null && at >= price.effectiveAt && lacksConsent(price);
