import { createHash } from "node:crypto";

/** A bank's refusal: the error's `code`, its `decline_code` and the message for the buyer. */
export type Decline = { code: string; decline_code: string; message: string; advice_code?: string };

const decline = (decline_code: string, message = "Your card was declined.", code = "card_declined"): Decline => ({
  code,
  decline_code,
  message,
});

const GENERIC = decline("generic_decline");
const NO_FUNDS = decline("insufficient_funds", "Your card has insufficient funds.");
const PROCESSING = decline(
  "processing_error",
  "An error occurred while processing your card. Try again in a little bit.",
  "processing_error",
);
export const NEEDS_AUTHENTICATION = decline(
  "authentication_required",
  "Your card was declined. This transaction requires authentication.",
  "authentication_required",
);

/**
 * `declines`: each charge is declined, and `saves` tells whether the card can be saved all the same. `authentication`:
 * `always`; `unless_set_up`: not off-session once the card was set up; `on_session`: the card counts as set up.
 * `afterwards`: the decline after a passed authentication. `disputed`: each charge is disputed at once. `refunds`:
 * a refund stays pending until `settleRefund`, or it succeeds and fails at `failRefund`.
 */
export type TestCard = {
  number: string;
  token: string;
  brand: "visa" | "mastercard" | "amex";
  declines?: Decline;
  saves?: boolean;
  authentication?: "always" | "unless_set_up" | "on_session";
  afterwards?: Decline;
  disputed?: "fraudulent" | "product_not_received" | "inquiry";
  refunds?: "pending" | "fail";
};

const card = (number: string, token: string, more: Partial<TestCard> = {}): TestCard => ({
  number,
  token: `pm_card_${token}`,
  brand: "visa",
  ...more,
});

/** The cards of Stripe's page "Testing", by number. */
export const TEST_CARDS: readonly TestCard[] = [
  card("4242424242424242", "visa"),
  card("4000056655665556", "visa_debit"),
  card("5555555555554444", "mastercard", { brand: "mastercard" }),
  card("378282246310005", "amex", { brand: "amex" }),
  card("4000000000000002", "visa_chargeDeclined", { declines: GENERIC }),
  card("4000000000009995", "visa_chargeDeclinedInsufficientFunds", { declines: NO_FUNDS }),
  card("4000000000009987", "visa_chargeDeclinedLostCard", { declines: decline("lost_card") }),
  card("4000000000009979", "visa_chargeDeclinedStolenCard", { declines: decline("stolen_card") }),
  card("4000000000000069", "chargeDeclinedExpiredCard", {
    declines: decline("expired_card", "Your card has expired.", "expired_card"),
  }),
  card("4000000000000127", "chargeDeclinedIncorrectCvc", {
    declines: decline("incorrect_cvc", "Your card's security code is incorrect.", "incorrect_cvc"),
  }),
  card("4000000000000119", "chargeDeclinedProcessingError", { declines: PROCESSING }),
  card("4000000000006975", "visa_chargeDeclinedVelocityLimitExceeded", {
    declines: decline(
      "card_velocity_exceeded",
      "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.",
    ),
  }),
  card("4100000000000019", "radarBlock", { declines: decline("fraudulent") }),
  card("4000000000000341", "chargeCustomerFail", { declines: GENERIC, saves: true }),
  card("4000002500003155", "authenticationRequiredOnSetup", { authentication: "unless_set_up" }),
  card("4000002760003184", "authenticationRequired", { authentication: "always" }),
  card("4000003800000446", "authenticationRequiredSetupForOffSession", { authentication: "on_session" }),
  card("4000008260003178", "authenticationRequiredChargeDeclinedInsufficientFunds", {
    authentication: "unless_set_up",
    afterwards: NO_FUNDS,
  }),
  card("4000000000003220", "threeDSecure2Required", { authentication: "unless_set_up" }),
  card("4000008400001629", "threeDSecureRequiredChargeDeclined", { authentication: "always", afterwards: GENERIC }),
  card("4000008400001280", "threeDSecureRequiredProcessingError", {
    authentication: "always",
    afterwards: PROCESSING,
  }),
  card("4000000000000259", "createDispute", { disputed: "fraudulent" }),
  card("4000000000002685", "createDisputeProductNotReceived", { disputed: "product_not_received" }),
  card("4000000000001976", "createDisputeInquiry", { disputed: "inquiry" }),
  card("4000000000007726", "pendingRefund", { refunds: "pending" }),
  card("4000000000005126", "refundFail", { refunds: "fail" }),
];

export const cardByToken = (token: string) => TEST_CARDS.find((each) => each.token === token);
export const cardByNumber = (number: string) => TEST_CARDS.find((each) => each.number === number);

/** The same for each use of one number, and different for each account, as at Stripe. */
export const fingerprintOf = (account: string, number: string): string =>
  createHash("sha256").update(`${account}/${number}`).digest("base64url").replaceAll(/[-_]/g, "x").slice(0, 16);

export type BankAnswer = { is: "approved" } | { is: "authenticate" } | { is: "declined"; decline: Decline };
/**
 * `trustsPresence`: the bank approves a charge by a present buyer without an authentication, unless one is requested
 * (`isRequested`).
 */
export type Presence = { offSession: boolean; isSetUp: boolean; trustsPresence: boolean; isRequested: boolean };

/** The bank's answer to a charge. */
export function answerToCharge(of: TestCard, presence: Presence): BankAnswer {
  const { offSession, isSetUp, trustsPresence, isRequested } = presence;
  if (of.declines !== undefined) return { is: "declined", decline: of.declines };
  if (of.authentication === undefined) return { is: "approved" };
  if (!offSession) return trustsPresence && !isRequested ? { is: "approved" } : { is: "authenticate" };
  const passes = of.authentication === "on_session" || (of.authentication === "unless_set_up" && isSetUp);
  if (!passes) return { is: "declined", decline: NEEDS_AUTHENTICATION };
  return of.afterwards === undefined ? { is: "approved" } : { is: "declined", decline: of.afterwards };
}

/** The bank's answer to the request to save a card with the buyer present. */
export function answerToSetup(of: TestCard): BankAnswer {
  if (of.declines !== undefined && of.saves !== true) return { is: "declined", decline: of.declines };
  return of.authentication === undefined || of.authentication === "on_session"
    ? { is: "approved" }
    : { is: "authenticate" };
}
