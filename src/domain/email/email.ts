import type { Instant } from "../calendar.ts";
import type { EventType } from "../event.ts";
import type { Invoice } from "../invoice/invoice.ts";
import { isForInvoice, type Payment } from "../payment/payment.ts";
import type { Subscription } from "../subscription/subscription.ts";

/** Every kind of e-mail that buyers get unasked, with the name of its switch among an Organization's settings. */
export const EMAIL_SWITCHES = {
  receipt: "receipt",
  payment_failed: "paymentFailed",
  authentication_required: "authenticationRequired",
  trial_ending: "trialEnding",
  renewal_upcoming: "renewalUpcoming",
  renewal_failed: "renewalFailed",
  canceled: "canceled",
} as const;
export type SwitchedEmailKind = keyof typeof EMAIL_SWITCHES;
export const SWITCHED_EMAIL_KINDS = Object.keys(EMAIL_SWITCHES) as SwitchedEmailKind[];
/** Who asks for a link gets it: without that e-mail there is no way in. */
export type EmailKind = SwitchedEmailKind | "portal_sign_in";
export const EMAIL_KINDS: readonly EmailKind[] = [...SWITCHED_EMAIL_KINDS, "portal_sign_in"];

/**
 * Kinds that say how things stand, and are past once these have changed. Where a sandbox's clock moves on at once, e-mails of these kinds
 * are written before it does (rule T5).
 */
export const PASSING_KINDS = ["payment_failed", "authentication_required", "trial_ending", "renewal_upcoming"] as const;

/** `kept`: readable here, and sent to nobody. */
export const EMAIL_STATUSES = ["queued", "sent", "kept", "skipped", "failed"] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

/** What an e-mail is about: ids, and the instant that it announces, if any. */
export type EmailSubject = {
  subscriptionId: string | null;
  invoiceId: string | null;
  paymentId: string | null;
  announcedAt: Instant | null;
};

/** One e-mail to one Customer. `announcedAt` and `createdAt` are billing time, all other instants real time. */
export type Email = EmailSubject & {
  organizationId: string;
  id: string;
  kind: EmailKind;
  customerId: string;
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

/** A change that is told, with the resource as it is then. `attempt`: what an invoice's news come from; null: there was no card. */
export type Told = { type: EventType } & (
  { subscription: Subscription } | { payment: Payment } | { invoice: Invoice; attempt: Payment | null }
);

function aboutSubscription(type: EventType, subscription: Subscription): SwitchedEmailKind | null {
  switch (type) {
    case "subscription.trial_ending":
      return "trial_ending";
    case "subscription.renewal_upcoming":
      return "renewal_upcoming";
    case "subscription.canceled":
      // A trial that ends without a card had nothing to renew (rule C2).
      return subscription.cancellationReason === "payment_failed" && !endedWithTrial(subscription) ? "renewal_failed" : "canceled";
    default:
      return null;
  }
}

/** Whether it never came to a paid period: its trial was all of it. */
export function endedWithTrial({ trialEnd, endedAt }: Pick<Subscription, "trialEnd" | "endedAt">): boolean {
  return trialEnd !== null && endedAt !== null && endedAt <= trialEnd;
}

/** Nobody has to be told who is on our page, or waits for the answer there. */
function aboutInvoice(type: EventType, { totalAmount }: Invoice, attempt: Payment | null): SwitchedEmailKind | null {
  if (type === "invoice.paid") return totalAmount > 0 ? "receipt" : null;
  if (type !== "invoice.payment_failed" || attempt?.purpose === "page") return null;
  // A challenge counts as a failure, too (rule D2); its own e-mail says what to do.
  return attempt?.status === "requires_action" ? null : "payment_failed";
}

/** The challenge of a charge of an invoice that was made without the buyer; a last invoice's is given up at once (rule S4). */
function aboutPayment(type: EventType, payment: Payment): SwitchedEmailKind | null {
  if (type !== "payment.action_required" || payment.abandoned || !isForInvoice(payment)) return null;
  return payment.purpose === "page" || payment.purpose === "last_invoice" ? null : "authentication_required";
}

type NewsEmail = EmailSubject & { kind: SwitchedEmailKind };

function newsOf(told: Told): NewsEmail | null {
  const none = { subscriptionId: null, invoiceId: null, paymentId: null, announcedAt: null };
  if ("subscription" in told) {
    const { id: subscriptionId, status, currentPeriodEnd } = told.subscription;
    const kind = aboutSubscription(told.type, told.subscription);
    return kind && { ...none, kind, subscriptionId, announcedAt: status === "canceled" ? null : currentPeriodEnd };
  }
  if ("payment" in told) {
    const { id: paymentId, subscriptionId, invoiceId } = told.payment;
    const kind = aboutPayment(told.type, told.payment);
    return kind && { ...none, kind, subscriptionId, invoiceId, paymentId };
  }
  const { id: invoiceId, subscriptionId } = told.invoice;
  const kind = aboutInvoice(told.type, told.invoice, told.attempt);
  return kind && { ...none, kind, subscriptionId, invoiceId, paymentId: told.attempt?.id ?? null };
}

/** The kind by which something is told where some are switched off: a challenge is a failed payment, too (rule D2). Null: by none. */
export function kindToSend<Kind extends EmailKind>(kind: Kind, off: readonly EmailKind[]): Kind | "payment_failed" | null {
  if (!off.includes(kind)) return kind;
  return kind === "authentication_required" && !off.includes("payment_failed") ? "payment_failed" : null;
}

/** The e-mail that tells the buyer of a change, and what it is about; null: none does, or it is switched off. */
export function emailOf(told: Told, off: readonly EmailKind[]): NewsEmail | null {
  const news = newsOf(told);
  const kind = news && kindToSend(news.kind, off);
  return kind && { ...news!, kind };
}

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** How long after each failed attempt the next one comes; after the last there is none. Three days in all. */
const DELAYS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 20 * HOUR, 24 * HOUR];
/** So many fail for the same cause at the same moment: they are not to be tried again at the same moment. */
const JITTER = 0.2;

const jittered = (delay: number, random: number) => Math.round(delay * (1 + JITTER * (2 * random - 1)));

/** In how many milliseconds an e-mail is tried again that has failed, after `attempts` before; `random` in [0, 1). Null: it is given up. */
export function retryDelay(attempts: number, random: number): number | null {
  const delay = DELAYS[attempts];
  return delay === undefined ? null : jittered(delay, random);
}

/** After so long nobody wants to read it any more. */
const MOST_REFUSED = 14 * 24 * HOUR;

/** As `retryDelay`, where the server refuses us and no e-mail is to blame: by how long this one has waited, once an hour in the end. */
export function refusedDelay(waited: number, random: number): number | null {
  return waited >= MOST_REFUSED ? null : jittered(Math.min(HOUR, Math.max(MINUTE, waited / 4)), random);
}
