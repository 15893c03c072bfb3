import type { FailureCode } from "../domain/model/payment-outcome.ts";
import type { Payment } from "../domain/model/payment.ts";
import type { Subscription } from "../domain/model/subscription.ts";
import type { Words } from "./words.ts";

/**
 * The reason why an invoice is not paid, in a sentence to the buyer. `attempt`: the last attempt; null: there was no
 * card.
 */
export function unpaidReason({ unpaidNotice, decline }: Words, attempt: Pick<Payment, "failureCode"> | null): string {
  if (attempt === null) return unpaidNotice.noCard;
  return attempt.failureCode === null ? unpaidNotice.confirmFirst : decline[attempt.failureCode as FailureCode];
}

type Unpaid = Pick<Subscription, "grantsSuspended" | "graceEndsAt">;

/** The access while invoices are unpaid, as text after the label `Access`; null: access is not affected (rule D4). */
export function accessInWords(
  { unpaidNotice, day }: Words,
  { grantsSuspended, graceEndsAt }: Unpaid,
  zone: string,
): string | null {
  if (grantsSuspended) return unpaidNotice.accessOff;
  return graceEndsAt === null ? null : unpaidNotice.accessStays({ day: day(graceEndsAt, zone) });
}

/** As `accessInWords`, in a sentence to the buyer: `You keep your access until 9 May 2026.` */
export function accessSentence(
  { unpaidNotice, day }: Words,
  { grantsSuspended, graceEndsAt }: Unpaid,
  zone: string,
): string | null {
  if (grantsSuspended) return unpaidNotice.yourAccessOff;
  return graceEndsAt === null ? null : unpaidNotice.yourAccessStays({ day: day(graceEndsAt, zone) });
}
