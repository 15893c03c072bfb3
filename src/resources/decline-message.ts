import type { FailureCode } from "../domain/model/payment-outcome.ts";

const REFUSED = "The seller can't take payments just now. You were not charged. Try again later.";

const DECLINE_MESSAGES: Record<FailureCode, string> = {
  card_declined: "The card was declined. Try another card or ask your bank.",
  insufficient_funds: "The card does not have enough funds. Try another card.",
  card_expired: "The card has expired. Try another card.",
  processing_error: "The bank could not process the card just now. The card was not charged. Try again.",
  authentication_failed: "The payment was not authenticated. The card was not charged. Try again or use another card.",
  canceled: "The payment was canceled. The card was not charged.",
  card_lost: "The card was declined. Try another card.",
  card_stolen: "The card was declined. Try another card.",
  card_gone: "The card is not on file any more. Use another card.",
  account_closed: "The card was declined. Try another card.",
  do_not_retry: "The card was declined. Try another card.",
  card_disputed:
    "The bank reversed an earlier payment with this card, so the card is charged again only when you pay with it " +
    "yourself.",
  provider_refused: REFUSED,
  amount_too_small: REFUSED,
  amount_too_large: REFUSED,
  currency_unsupported: REFUSED,
  request_invalid: REFUSED,
};

/**
 * The API's message to the buyer for the reason of a failed payment. A stored code that this version does not have gets
 * the message of a declined card.
 */
export function declineMessage(code: string): string {
  const messages: Partial<Record<string, string>> = DECLINE_MESSAGES;
  return messages[code] ?? DECLINE_MESSAGES.card_declined;
}
