import { HARD_DECLINES, type DeclineCode } from "../../domain/model/payment-outcome.ts";
import type { IntentError } from "./objects.ts";

/**
 * Stripe's decline codes, with ours. Verdicts of fraud are generic, because the buyer reads the message. A card whose
 * owner told the bank to stop these payments is `card_gone`: no later charge can succeed.
 */
export const DECLINES: Readonly<Record<string, DeclineCode>> = {
  approve_with_id: "card_declined",
  authentication_not_handled: "authentication_failed",
  authentication_required: "authentication_failed",
  call_issuer: "card_declined",
  card_not_supported: "card_declined",
  card_velocity_exceeded: "card_declined",
  currency_not_supported: "card_declined",
  do_not_honor: "card_declined",
  do_not_try_again: "do_not_retry",
  duplicate_transaction: "card_declined",
  expired_card: "card_expired",
  fraudulent: "card_declined",
  generic_decline: "card_declined",
  highest_risk_level: "card_declined",
  incorrect_address: "card_declined",
  incorrect_cvc: "card_declined",
  incorrect_number: "card_declined",
  incorrect_pin: "card_declined",
  incorrect_zip: "card_declined",
  insufficient_funds: "insufficient_funds",
  invalid_account: "account_closed",
  invalid_amount: "card_declined",
  invalid_cvc: "card_declined",
  invalid_expiry_month: "card_expired",
  invalid_expiry_year: "card_expired",
  invalid_number: "card_declined",
  invalid_pin: "card_declined",
  issuer_not_available: "processing_error",
  lost_card: "card_lost",
  merchant_blacklist: "card_declined",
  mobile_device_authentication_required: "authentication_failed",
  new_account_information_available: "card_declined",
  no_action_taken: "card_declined",
  not_permitted: "card_declined",
  offline_pin_required: "card_declined",
  online_or_offline_pin_required: "card_declined",
  pickup_card: "card_stolen",
  pin_try_exceeded: "card_declined",
  previously_declined_do_not_retry: "card_declined",
  processing_error: "processing_error",
  reenter_transaction: "processing_error",
  restricted_card: "card_declined",
  revocation_of_all_authorizations: "card_gone",
  revocation_of_authorization: "card_gone",
  security_violation: "card_declined",
  service_not_allowed: "card_declined",
  stolen_card: "card_stolen",
  stop_payment_order: "card_gone",
  test_mode_live_card: "card_declined",
  testmode_decline: "card_declined",
  transaction_not_allowed: "card_declined",
  try_again_later: "processing_error",
  withdrawal_count_limit_exceeded: "card_declined",
};

/** Codes of an error, for errors without a decline code. */
const ERRORS: Readonly<Record<string, DeclineCode>> = {
  authentication_required: "authentication_failed",
  billing_invalid_mandate: "card_gone",
  card_decline_rate_limit_exceeded: "card_declined",
  expired_card: "card_expired",
  expired_payment_method: "card_expired",
  india_recurring_payment_mandate_canceled: "card_gone",
  insufficient_funds: "insufficient_funds",
  invalid_expiry_month: "card_expired",
  invalid_expiry_year: "card_expired",
  payment_intent_authentication_failure: "authentication_failed",
  payment_intent_mandate_invalid: "card_gone",
  payment_intent_payment_attempt_expired: "authentication_failed",
  processing_error: "processing_error",
  setup_intent_authentication_failure: "authentication_failed",
  setup_intent_mandate_invalid: "card_gone",
  setup_intent_setup_attempt_expired: "authentication_failed",
  three_d_secure_authentication_upstream_error: "authentication_failed",
};

const lookUp = (table: Readonly<Record<string, DeclineCode>>, code: string | null | undefined) =>
  typeof code === "string" && Object.hasOwn(table, code) ? table[code] : undefined;

/**
 * Our code for an error of a bank, a network or Stripe. A code that Stripe adds later is `card_declined`. A network
 * bills the seller for each charge against its advice, so the advice makes every decline a hard one.
 */
export function declineOf({ code, decline_code: declineCode, advice_code: advice }: IntentError): DeclineCode {
  const ours = lookUp(DECLINES, declineCode) ?? lookUp(ERRORS, code) ?? "card_declined";
  return advice === "do_not_try_again" && !HARD_DECLINES.has(ours) ? "do_not_retry" : ours;
}

/** The decline behind an error that no bank made, such as a mandate that ended; undefined: the error is no decline. */
export const declineOfCode = (code: string | null): DeclineCode | undefined => lookUp(ERRORS, code);

/** The bank wants the buyer to authenticate, and the buyer was not there to be asked. */
export const wantsBuyer = ({ code, decline_code: declineCode }: IntentError): boolean =>
  declineCode === "authentication_required" || code === "authentication_required";
