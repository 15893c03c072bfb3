import type { CustomerBilling } from "../billing/customer-billing.ts";
import { MAX_FAILED_ATTEMPTS } from "../model/checkout.ts";
import type { Payment } from "../model/payment.ts";
import { collectOnPage } from "../payment/attempt.ts";
import { recordEntered } from "./new-card.ts";
import { isProviderRefusal, type EnteredCard, type FailureCode } from "../model/payment-outcome.ts";
import { previewRestart } from "./restart.ts";
import { findOpen, type ChallengeWaits } from "./by-hand.ts";
import { Refusal } from "../refusal.ts";

/** The page as the buyer saw it: a challenge, and the amount of a new period in minor units. */
export type AgreedOnPage = { instead: string | null; forPeriod: number };

/**
 * Records the charge of an open invoice to a card that the buyer gives on the invoice's page (rule D3n). `instead`: the
 * challenge that the page showed; that challenge is given up in favour of this card. Any other live attempt blocks the
 * charge. `forPeriod`: the amount that the page showed for a new period, 0 without one (rules D3p, D8f).
 * @throws Refusal 404, 409 `invoice_not_open`, `payment_in_progress`
 */
export function payOnPage(
  billing: CustomerBilling,
  id: string,
  card: EnteredCard,
  { instead, forPeriod }: AgreedOnPage,
): { attempt: Payment } | ChallengeWaits | { refused: "stale" | "too_many_attempts" } {
  const { bill, subscription, challenge } = findOpen(billing, id);
  if (subscription.status === "canceled") throw new Refusal("invoice_not_open");
  // Until the first charge of the invoice has failed, that charge is under way or about to begin.
  if (subscription.status !== "past_due" && bill.invoice.heldReason === null) throw new Refusal("payment_in_progress");
  if (challenge && challenge.id !== instead) throw new Refusal("payment_in_progress");
  if ((previewRestart(billing, subscription, id)?.amountDue ?? 0) !== forPeriod) return { refused: "stale" };
  billing.need({ part: "attempts", sourceId: id });
  const failed = billing.payments.where(
    ({ sourceId, status, purpose, failureCode }) =>
      sourceId === id && status === "failed" && purpose === "page" && !isProviderRefusal(failureCode as FailureCode),
  );
  if (failed.length >= MAX_FAILED_ATTEMPTS) return { refused: "too_many_attempts" };
  if (challenge) return { challenge };
  return { attempt: collectOnPage(billing, bill.invoice, recordEntered(billing, card)) };
}
