import { CHARGE_REFUSALS, type DeclineCode } from "./payment-outcome.ts";

/**
 * The reasons of failed refunds. `insufficient_funds`: the seller's account at the provider had too little money.
 * `card_gone`: the card expired, was replaced, or its account was closed. `card_lost`: the card was reported lost or
 * stolen. `canceled`: the refund was canceled. `disputed`: the buyer disputed the charge meanwhile. `unknown`: the
 * provider gave no reason. The others: the provider refused the request for this refund (rule D9).
 */
export const REFUND_FAILURE_CODES = [
  "declined",
  "card_gone",
  "card_lost",
  "insufficient_funds",
  "canceled",
  "disputed",
  "unknown",
  ...CHARGE_REFUSALS,
] as const;
export type RefundFailureCode = (typeof REFUND_FAILURE_CODES)[number];

const BY_DECLINE: Record<DeclineCode, RefundFailureCode> = {
  card_declined: "declined",
  insufficient_funds: "insufficient_funds",
  card_expired: "card_gone",
  processing_error: "unknown",
  authentication_failed: "declined",
  canceled: "canceled",
  card_lost: "card_lost",
  card_stolen: "card_lost",
  card_gone: "card_gone",
  account_closed: "card_gone",
  do_not_retry: "declined",
};

/** The reason of a refund that the provider declined. */
export const refundFailureOf = (code: DeclineCode): RefundFailureCode => BY_DECLINE[code];
