import { HOUR, MINUTE, type Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";
import { jittered } from "../jitter.ts";
import type { Invoice } from "./invoice.ts";
import { isForInvoice, type Payment } from "./payment.ts";
import type { ScheduledPrice } from "./scheduled-price.ts";
import { isHeldForImport, type Pause, type PendingChange, type Subscription } from "./subscription.ts";

/** Every kind of e-mail that buyers get unasked, with the name of its switch in an Organization's settings. */
export const EMAIL_SWITCHES = {
  receipt: "receipt",
  order_confirmation: "orderConfirmation",
  payment_failed: "paymentFailed",
  authentication_required: "authenticationRequired",
  trial_started: "trialStarted",
  trial_extended: "trialExtended",
  trial_ending: "trialEnding",
  renewal_upcoming: "renewalUpcoming",
  cancellation_scheduled: "cancellationScheduled",
  cancellation_undone: "cancellationUndone",
  pause_scheduled: "pauseScheduled",
  pause_undone: "pauseUndone",
  pause_begun: "pauseBegun",
  resume_upcoming: "resumeUpcoming",
  price_change: "priceChange",
  price_change_reminder: "priceChangeReminder",
  change_dropped: "changeDropped",
  renewal_failed: "renewalFailed",
  canceled: "canceled",
  card_expiring: "cardExpiring",
  card_request: "cardRequest",
} as const;
export type SwitchedEmailKind = keyof typeof EMAIL_SWITCHES;
export const SWITCHED_EMAIL_KINDS = Object.keys(EMAIL_SWITCHES) as SwitchedEmailKind[];
/**
 * The e-mails of the portal have no switch. Their links give access to an account, or give an address back (rule E3c).
 */
export const PORTAL_EMAIL_KINDS = ["portal_sign_in", "portal_email_confirm", "portal_email_changed"] as const;
export type PortalEmailKind = (typeof PORTAL_EMAIL_KINDS)[number];
export type BuyerEmailKind = SwitchedEmailKind | PortalEmailKind;
export const BUYER_EMAIL_KINDS: readonly BuyerEmailKind[] = [...SWITCHED_EMAIL_KINDS, ...PORTAL_EMAIL_KINDS];
/** Every kind of e-mail to the seller's own address. Such an e-mail is written in full when it is queued. */
export const CONNECTION_EMAIL_KINDS = ["payments_connected", "payments_disconnected"] as const;
export type ConnectionEmailKind = (typeof CONNECTION_EMAIL_KINDS)[number];
export const SELLER_EMAIL_KINDS = [...CONNECTION_EMAIL_KINDS, "import_alarm"] as const;
export type SellerEmailKind = (typeof SELLER_EMAIL_KINDS)[number];
/**
 * Every kind of e-mail to people of the dashboard. Such an e-mail is about a person's account of the installation and
 * for the recipient alone, so it is no part of the tests of a sandbox, and its message is never stored once it is sent.
 */
export const TEAM_EMAIL_KINDS = ["team_invitation", "team_password", "team_access_reset"] as const;
export type TeamEmailKind = (typeof TEAM_EMAIL_KINDS)[number];
const isOneOf = (kinds: readonly EmailKind[], kind: EmailKind) => kinds.includes(kind);
/** Whether an e-mail goes to a person of the dashboard. */
export const isToPerson = (kind: EmailKind): boolean => isOneOf(TEAM_EMAIL_KINDS, kind);
/**
 * Whether the message is kept from the database, so that only the recipient can use its link. The Customers of a
 * sandbox are test data, so a seller can read the links of their portal.
 */
export const isForRecipientAlone = (kind: EmailKind, mode: "live" | "sandbox"): boolean =>
  isToPerson(kind) || (mode === "live" && isOneOf(PORTAL_EMAIL_KINDS, kind));
export type EmailKind = BuyerEmailKind | SellerEmailKind | TeamEmailKind;
export const EMAIL_KINDS: readonly EmailKind[] = [
  ...SWITCHED_EMAIL_KINDS,
  ...PORTAL_EMAIL_KINDS,
  ...SELLER_EMAIL_KINDS,
  ...TEAM_EMAIL_KINDS,
];

/**
 * Kinds that describe the present state, and are outdated once that state has changed. If a sandbox's clock moves on at
 * once, e-mails of these kinds are written before the move (rules E5e, T5l).
 */
export const PASSING_KINDS = [
  "payment_failed",
  "authentication_required",
  "trial_started",
  "trial_extended",
  "trial_ending",
  "renewal_upcoming",
  "cancellation_scheduled",
  "cancellation_undone",
  "pause_scheduled",
  "pause_undone",
  "pause_begun",
  "resume_upcoming",
  "price_change",
  "price_change_reminder",
  "change_dropped",
  "card_expiring",
  "card_request",
] as const;

/** `kept`: stored for reading, but not sent. */
export const EMAIL_STATUSES = ["queued", "sent", "kept", "skipped", "failed"] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

/** The resources that an e-mail is about, and the instant that the e-mail announces, if any. */
export type EmailSubject = {
  subscriptionId: string | null;
  invoiceId: string | null;
  paymentId: string | null;
  announcedAt: Instant | null;
};

/**
 * One e-mail to one Customer, to the seller, or to a person of the dashboard. `announcedAt` and `createdAt` are billing
 * time, all other instants are real time.
 */
export type Email = EmailSubject & {
  organizationId: string;
  id: string;
  kind: EmailKind;
  /** Null: the e-mail is for the seller, or for a person of the dashboard. */
  customerId: string | null;
  status: EmailStatus;
  reason: string | null;
  attempts: number;
  attemptAt: Instant | null;
  fileAt: Instant | null;
  recipient: string | null;
  subject: string | null;
  text: string | null;
  html: string | null;
  createdAt: Instant;
  queuedAt: Instant;
  sentAt: Instant | null;
};
/** An e-mail without its message. */
export type ListedEmail = Omit<Email, "text" | "html">;

/**
 * A change that an e-mail may report, with the changed resource. `attempt`: the attempt that led to an invoice's event,
 * if any. `expiresAt`: the expiry of the Subscription's card. `dropped`: the pending change that is not possible.
 * `pause`: a pause that was scheduled or changed; null: the pause was undone before its begin. `missing`: the new price
 * that still lacks its consent. `chargedAt`: the next charge, for which there is no card.
 * `trialEnd`: the later end of a trial.
 */
export type EmailCause = { type: EventType } & (
  | { subscription: Subscription }
  | { payment: Payment }
  | { invoice: Invoice; attempt: Payment | null }
  | { subscription: Subscription; expiresAt: Instant }
  | { subscription: Subscription; dropped: PendingChange }
  | { subscription: Subscription; pause: Pause | null }
  | { subscription: Subscription; missing: ScheduledPrice }
  | { subscription: Subscription; chargedAt: Instant }
  | { subscription: Subscription; trialEnd: Instant }
);

/** Another system still bills a held Subscription and writes to its buyer (rule V1). */
function aboutSubscription(type: EventType, subscription: Subscription): SwitchedEmailKind | null {
  if (isHeldForImport(subscription)) return null;
  switch (type) {
    case "subscription.created":
      // A Subscription that begins with a paid period has a receipt, and an imported one has no news (rule E1e).
      return subscription.status === "trialing" && !subscription.imported ? "trial_started" : null;
    case "subscription.trial_ending":
      return "trial_ending";
    case "subscription.renewal_upcoming":
      return "renewal_upcoming";
    case "subscription.resume_upcoming":
      return "resume_upcoming";
    case "subscription.paused":
      return "pause_begun";
    case "subscription.price_change_scheduled":
      return "price_change";
    case "subscription.cancellation_scheduled":
      return "cancellation_scheduled";
    case "subscription.cancellation_undone":
      return "cancellation_undone";
    case "subscription.canceled":
      // A trial that ends without a card has no renewal that could fail (rule C2).
      return subscription.cancellationReason === "payment_failed" && !endedWithTrial(subscription)
        ? "renewal_failed"
        : "canceled";
    default:
      return null;
  }
}

/** Whether the Subscription ended with its trial, before any paid period. */
export function endedWithTrial({ trialEnd, endedAt }: Pick<Subscription, "trialEnd" | "endedAt">): boolean {
  return trialEnd !== null && endedAt !== null && endedAt <= trialEnd;
}

/** A failed attempt on the invoice's page needs no e-mail: the page shows the outcome (rules E1a, E1b, E2a). */
function aboutInvoice(
  type: EventType,
  { totalAmount, reason }: Invoice,
  attempt: Payment | null,
): SwitchedEmailKind | null {
  if (type === "invoice.paid" && totalAmount > 0) return "receipt";
  // A purchase of 0 has no receipt. Its buyer gets the license key, too.
  if (type === "invoice.paid") return reason === "checkout" ? "order_confirmation" : null;
  if (type !== "invoice.payment_failed" || attempt?.purpose === "page") return null;
  // A challenge counts as a failure, too (rule D2); the challenge's own e-mail names the next step.
  return attempt?.status === "requires_action" ? null : "payment_failed";
}

/**
 * An e-mail asks for authentication if an invoice was charged without the buyer. A last invoice's challenge is given up
 * at once, so this challenge makes no e-mail (rules E1b, E2b, E2c, S4).
 */
function aboutPayment(type: EventType, payment: Payment): SwitchedEmailKind | null {
  if (type !== "payment.action_required" || payment.abandoned || !isForInvoice(payment)) return null;
  return payment.purpose === "page" || payment.purpose === "last_invoice" ? null : "authentication_required";
}

type NewsEmail = EmailSubject & { kind: SwitchedEmailKind };

type SubscriptionCause = { type: EventType; subscription: Subscription };

/** The instant that a notice announces: the resume (rule S8i), the new price (rule N4), or the end of the period. */
function endOf({ type, subscription: { pause, priceChange, currentPeriodEnd } }: SubscriptionCause): Instant {
  if (type === "subscription.price_change_scheduled") return priceChange!.effectiveAt;
  return (type === "subscription.resume_upcoming" ? pause?.resumesAt : null) ?? currentPeriodEnd;
}

function newsOf(cause: EmailCause): NewsEmail | null {
  const none = { subscriptionId: null, invoiceId: null, paymentId: null, announcedAt: null };
  if ("expiresAt" in cause)
    return { ...none, kind: "card_expiring", subscriptionId: cause.subscription.id, announcedAt: cause.expiresAt };
  if ("dropped" in cause) {
    const { id: subscriptionId } = cause.subscription;
    return { ...none, kind: "change_dropped", subscriptionId, announcedAt: cause.dropped.effectiveAt };
  }
  if ("pause" in cause) {
    const { id: subscriptionId, currentPeriodEnd } = cause.subscription;
    const kind = cause.pause === null ? "pause_undone" : "pause_scheduled";
    return { ...none, kind, subscriptionId, announcedAt: currentPeriodEnd };
  }
  if ("missing" in cause) {
    const { id: subscriptionId } = cause.subscription;
    return { ...none, kind: "price_change_reminder", subscriptionId, announcedAt: cause.missing.effectiveAt };
  }
  if ("chargedAt" in cause)
    return { ...none, kind: "card_request", subscriptionId: cause.subscription.id, announcedAt: cause.chargedAt };
  if ("trialEnd" in cause)
    return { ...none, kind: "trial_extended", subscriptionId: cause.subscription.id, announcedAt: cause.trialEnd };
  if ("subscription" in cause) {
    const { id: subscriptionId, status } = cause.subscription;
    const kind = aboutSubscription(cause.type, cause.subscription);
    return kind && { ...none, kind, subscriptionId, announcedAt: status === "canceled" ? null : endOf(cause) };
  }
  if ("payment" in cause) {
    const { id: paymentId, subscriptionId, invoiceId } = cause.payment;
    const kind = aboutPayment(cause.type, cause.payment);
    return kind && { ...none, kind, subscriptionId, invoiceId, paymentId };
  }
  const { id: invoiceId, subscriptionId } = cause.invoice;
  const kind = aboutInvoice(cause.type, cause.invoice, cause.attempt);
  return kind && { ...none, kind, subscriptionId, invoiceId, paymentId: cause.attempt?.id ?? null };
}

/**
 * The kind of e-mail to send, given the kinds that are switched off. Null: no e-mail is sent. If
 * `authentication_required` is off, a challenge is reported as a failed payment (rules D2, E3a, E3b).
 */
export function kindToSend<Kind extends EmailKind>(
  kind: Kind,
  off: readonly EmailKind[],
): Kind | "payment_failed" | null {
  if (!off.includes(kind)) return kind;
  return kind === "authentication_required" && !off.includes("payment_failed") ? "payment_failed" : null;
}

/**
 * The e-mail that reports a change to the buyer, with the resources that the e-mail is about. Null: the change has no
 * e-mail, or its kind is switched off (rules E1c, E1d).
 */
export function emailOf(cause: EmailCause, off: readonly EmailKind[]): NewsEmail | null {
  const news = newsOf(cause);
  const kind = news && kindToSend(news.kind, off);
  return kind && { ...news!, kind };
}

/** The delay after each failed attempt. The e-mail is given up after the last attempt. Three days in all. */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 20 * HOUR, 24 * HOUR];

/**
 * The milliseconds until a failed e-mail is tried again, after `attempts` earlier attempts; `random` is in [0, 1).
 * Null: the e-mail is given up (rule E6a).
 */
export function retryDelay(attempts: number, random: number): number | null {
  const delay = DELAYS[attempts];
  return delay === undefined ? null : jittered(delay, random);
}

/** A refused e-mail is given up after this time, because its message is no longer useful. */
const MOST_REFUSED = 14 * 24 * HOUR;

/**
 * As `retryDelay`, for a server that refuses all of our e-mails. The delay grows with the time that this e-mail has
 * `waited`, up to an hour (rule E6b).
 */
export function refusedDelay(waited: number, random: number): number | null {
  return waited >= MOST_REFUSED ? null : jittered(Math.min(HOUR, Math.max(MINUTE, waited / 4)), random);
}
