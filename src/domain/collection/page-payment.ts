import type { CustomerBilling } from "../billing/customer-billing.ts";
import { MAX_FAILED_ATTEMPTS } from "../model/checkout.ts";
import type { Payment } from "../model/payment.ts";
import { collectOnPage } from "../payment/attempt.ts";
import { recordEntered } from "./new-card.ts";
import { isProviderRefusal, type EnteredCard, type FailureCode } from "../model/payment-outcome.ts";
import { agreeToRestart, namesPrice, previewRestart, type RestartPreview, type ShownRestart } from "./restart.ts";
import { findOpen, type ChallengeWaits } from "./by-hand.ts";
import { Refusal } from "../refusal.ts";

/** The page as the buyer saw it: a challenge, and a new period. */
export type AgreedOnPage = ShownRestart & { instead: string | null };

/** Whether the page showed this new period: its amount, and its price if that lacks a consent (rules D8f, N6). */
const isShown = (restart: RestartPreview | null, { forPeriod, asksFor }: ShownRestart): boolean =>
  (restart?.amountDue ?? 0) === forPeriod && namesPrice(restart, asksFor);

/**
 * Records the charge of an open invoice to a card that the buyer gives on the invoice's page (rule D3n). `instead`: the
 * challenge that the page showed; that challenge is given up in favour of this card. Any other live attempt blocks the
 * charge. The new period has to be the one that the page showed, and the click agrees to its price (rules D3p, D8f,
 * N6).
 * @throws Refusal 404, 409 `invoice_not_open`, `payment_in_progress`
 */
export function payOnPage(
  billing: CustomerBilling,
  id: string,
  card: EnteredCard,
  { instead, ...shown }: AgreedOnPage,
): { attempt: Payment } | ChallengeWaits | { refused: "stale" | "too_many_attempts" } {
  const { bill, subscription, challenge } = findOpen(billing, id);
  if (subscription.status === "canceled") throw new Refusal("invoice_not_open");
  // Until the first charge of the invoice has failed, that charge is under way or about to begin.
  if (subscription.status !== "past_due" && bill.invoice.heldReason === null) throw new Refusal("payment_in_progress");
  if (challenge && challenge.id !== instead) throw new Refusal("payment_in_progress");
  const restart = previewRestart(billing, subscription, id);
  if (!isShown(restart, shown)) return { refused: "stale" };
  billing.need({ part: "attempts", sourceId: id });
  const failed = billing.payments.where(
    ({ sourceId, status, purpose, failureCode }) =>
      sourceId === id && status === "failed" && purpose === "page" && !isProviderRefusal(failureCode as FailureCode),
  );
  if (failed.length >= MAX_FAILED_ATTEMPTS) return { refused: "too_many_attempts" };
  if (challenge) return { challenge };
  agreeToRestart(billing, subscription, restart);
  return { attempt: collectOnPage(billing, bill.invoice, recordEntered(billing, card)) };
}

/**
 * Agrees to the price of the new period that the page showed, before the buyer confirms a charge at the bank (rule N6).
 * Returns false if the page showed another new period.
 * @throws Refusal 404, 409 `invoice_not_open`, `payment_in_progress`
 */
export function agreeOnPage(billing: CustomerBilling, id: string, shown: ShownRestart): boolean {
  const { subscription } = findOpen(billing, id);
  const restart = previewRestart(billing, subscription, id);
  if (!isShown(restart, shown)) return false;
  agreeToRestart(billing, subscription, restart);
  return true;
}
