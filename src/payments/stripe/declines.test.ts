import { describe, expect, test } from "vitest";
import { HARD_DECLINES } from "../../domain/model/payment-outcome.ts";
import { DECLINES, declineOf, declineOfCode, wantsBuyer } from "./declines.ts";

/** Each decline code that Stripe documents for cards (https://docs.stripe.com/declines/codes), with ours. */
const DOCUMENTED: Record<string, string> = {
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

describe("a decline code of Stripe", () => {
  test.each(Object.entries(DOCUMENTED))("%s is our %s", (theirs, ours) => {
    expect(declineOf({ code: "card_declined", decline_code: theirs })).toBe(ours);
  });

  test("is documented, each of the table", () => expect(Object.keys(DECLINES)).toEqual(Object.keys(DOCUMENTED)));

  test("that is not known is a plain decline", () => {
    for (const decline_code of ["brand_new_code", "constructor", "__proto__", ""]) {
      expect(declineOf({ code: "card_declined", decline_code })).toBe("card_declined");
    }
  });

  test("ends the use of the card only if no bank can charge the card any more", () => {
    const hard = Object.entries(DOCUMENTED).filter(([, ours]) => HARD_DECLINES.has(ours as never));
    expect(hard.map(([theirs]) => theirs)).toEqual([
      "do_not_try_again",
      "invalid_account",
      "lost_card",
      "pickup_card",
      "revocation_of_all_authorizations",
      "revocation_of_authorization",
      "stolen_card",
      "stop_payment_order",
    ]);
  });

  test.each([
    ["generic_decline", "do_not_try_again", "do_not_retry"],
    ["insufficient_funds", "do_not_try_again", "do_not_retry"],
    ["restricted_card", "do_not_try_again", "do_not_retry"],
    ["lost_card", "do_not_try_again", "card_lost"],
    ["invalid_account", "do_not_try_again", "account_closed"],
    ["insufficient_funds", "try_again_later", "insufficient_funds"],
    ["incorrect_number", "confirm_card_data", "card_declined"],
    ["generic_decline", "brand_new_advice", "card_declined"],
    ["generic_decline", null, "card_declined"],
  ])("%s with the advice %s is our %s", (decline_code, advice_code, ours) => {
    expect(declineOf({ code: "card_declined", decline_code, advice_code })).toBe(ours);
  });

  // A person who steals a card learns from the message that the bank knows of the theft.
  test.each(["fraudulent", "merchant_blacklist", "highest_risk_level", "security_violation"])(
    "%s does not tell the buyer of the suspicion",
    (theirs) => expect(declineOf({ code: "card_declined", decline_code: theirs })).toBe("card_declined"),
  );
});

test.each([
  ["payment_intent_authentication_failure", "authentication_failed"],
  ["setup_intent_authentication_failure", "authentication_failed"],
  ["payment_intent_mandate_invalid", "card_gone"],
  ["india_recurring_payment_mandate_canceled", "card_gone"],
  ["expired_card", "card_expired"],
  ["resource_missing", undefined],
  [null, undefined],
])("the error %s without a decline code is %s", (code, ours) => {
  expect(declineOfCode(code)).toBe(ours);
});

test("a bank that wants the buyer is no decline yet", () => {
  expect(wantsBuyer({ code: "authentication_required", decline_code: "authentication_required" })).toBe(true);
  expect(wantsBuyer({ code: "card_declined", decline_code: "authentication_required" })).toBe(true);
  expect(wantsBuyer({ code: "payment_intent_authentication_failure" })).toBe(false);
  expect(wantsBuyer({})).toBe(false);
});
