import { formatDate } from "../calendar.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { DECLINE_MESSAGES, type FailureCode } from "./outcome.ts";
import type { Payment } from "./payment.ts";

/**
 * The reason why an invoice is not paid, in a sentence to the buyer. `attempt`: the last attempt; null: there was no
 * card.
 */
export function unpaidReason(attempt: Payment | null): string {
  if (attempt === null) return "There is no card on file that can be charged.";
  return attempt.failureCode === null
    ? "The bank asks you to confirm it first."
    : DECLINE_MESSAGES[attempt.failureCode as FailureCode];
}

type Unpaid = Pick<Subscription, "grantsSuspended" | "graceEndsAt">;

/** The access while invoices are unpaid, as text after the label `Access`; null: access is not affected (rule D4). */
export function accessInWords({ grantsSuspended, graceEndsAt }: Unpaid, zone: string): string | null {
  if (grantsSuspended) return "off until everything that is owed is paid";
  return graceEndsAt === null ? null : `stays until ${formatDate(graceEndsAt, zone)}`;
}

/** As `accessInWords`, in a sentence to the buyer: `Your access stays until 9 May 2026.` */
export function accessSentence(subscription: Unpaid, zone: string): string | null {
  const words = accessInWords(subscription, zone);
  return words && `Your access ${subscription.grantsSuspended ? "is " : ""}${words}.`;
}
