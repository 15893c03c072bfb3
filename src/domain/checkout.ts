import type { Instant, Interval } from "./calendar.ts";
import type { Metadata } from "./product.ts";

export type CheckoutStatus = "open" | "processing" | "completed" | "expired";

/** A purchase in the making; Product and price are fixed when it is created (rule C3). */
export type Checkout = {
  organizationId: string;
  id: string;
  status: CheckoutStatus;
  productId: string;
  customerId: string | null;
  customerNamed: boolean;
  subscriptionId: string | null;
  invoiceId: string | null;
  productName: string;
  groupKey: string | null;
  currency: string;
  amount: number;
  interval: Interval | null;
  intervalCount: number | null;
  trialDays: number | null;
  trialCard: "required" | "optional";
  successUrl: string | null;
  cancelUrl: string | null;
  lastPaymentError: { code: string; message: string } | null;
  failedAttempts: number;
  submittedAt: Instant | null;
  metadata: Metadata;
  expiresAt: Instant;
  completedAt: Instant | null;
  dueAt: Instant | null;
  simulated: boolean;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** What is due today: a trial makes it 0. */
export function dueToday(checkout: Pick<Checkout, "amount" | "trialDays">): number {
  return checkout.trialDays === null ? checkout.amount : 0;
}

export type CardNeed = "charge" | "save" | "optional" | "none";

/** Whether the buyer gives a card, and what becomes of it (rule C2): charged now, only saved, saved if they like, or not asked for. */
export function cardNeed(checkout: Pick<Checkout, "amount" | "trialDays" | "trialCard">): CardNeed {
  if (checkout.amount === 0) return "none";
  if (checkout.trialDays === null) return "charge";
  return checkout.trialCard === "required" ? "save" : "optional";
}

const HOUR = 3_600_000;

/** A challenge is waited for until the Checkout's time is past, but at least for an hour (rule C). */
export function challengeEndsAt(checkout: Pick<Checkout, "expiresAt" | "submittedAt">): Instant {
  return Math.max(checkout.expiresAt, (checkout.submittedAt ?? 0) + HOUR) as Instant;
}

/**
 * The payment of a submitted Checkout failed: the buyer may try again, unless its time is past meanwhile. Who they are is resolved with
 * each submission where no Customer was named, so that a mistyped e-mail is not kept.
 */
export function reopened(checkout: Checkout, error: { code: string; message: string }, now: Instant): Checkout {
  const status = checkout.expiresAt <= now ? "expired" : "open";
  const dueAt = status === "open" ? checkout.expiresAt : null;
  const customerId = checkout.customerNamed ? checkout.customerId : null;
  const failedAttempts = checkout.failedAttempts + 1;
  return { ...checkout, status, customerId, dueAt, submittedAt: null, lastPaymentError: error, failedAttempts };
}
