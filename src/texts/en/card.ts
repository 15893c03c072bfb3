import type { FailureCode } from "../../domain/model/payment-outcome.ts";
import type { DiscountRefusal } from "../../domain/refusal.ts";

/** The fields of a card, and the provider's page that takes a card. */
export const card = {
  legend: "Card",
  number: "Card number",
  expiry: "Expiry date",
  expiryForm: "MM / YY",
  cvc: "Security code",
  cvcForm: "CVC",
  numberMissing: "Enter your card number.",
  numberIncomplete: "Enter the full card number, 12 to 19 digits.",
  numberWrong: "This card number is not valid. Check the digits.",
  expiryIncomplete: "Enter the month and year on your card, such as 04\u00a0/\u00a029.",
  expiryPast: "This date is in the past. Check it, or use another card.",
  cvcIncomplete: "Enter the security code, 3 or 4 digits.",
  cvcThree: "Enter the 3 digits from the back of your card.",
  cvcFour: "Enter the 4 digits from the front of your card.",
  emptied: "For your security, this page does not keep your card number. Please enter it again.",
  emptiedToo: "Enter this again too.",
  testCards: "Test cards",
  testCardsNote: "Use any expiry date in the future and any security code.",
  toPayment: "Continue to payment",
  toCard: "Continue to card details",
  paidAt: "You'll pay on {provider}'s page.",
  savedAt: "You'll enter your card on {provider}'s page. You won't be charged today.",
  enteredAt: "You'll enter your card on {provider}'s page.",
  theProvider: "the payment provider",
} as const;

/** Why a discount code can't be used, by the code of the refusal. */
export const refusedCode = {
  unknown_discount: "This code does not exist. Check the spelling.",
  discount_not_active: "This code can't be used at the moment.",
  discount_exhausted: "This code has been used up.",
  discount_not_for_product: "This code is not for this product.",
  discount_other_currency: "This code is for another currency.",
  discount_below_minimum: "With this code, the total would be too small to charge.",
} as const satisfies Record<DiscountRefusal, string>;

const REFUSED = "The seller can't take payments just now. You were not charged. Try again later.";

/** Why a payment failed, by its code. */
export const decline = {
  card_declined: "The card was declined. Try another card or ask your bank.",
  insufficient_funds: "Your card has insufficient funds. Try another card.",
  card_expired: "The card has expired. Try another card.",
  processing_error: "The bank could not process the card just now. The card was not charged. Try again.",
  authentication_failed: `The payment was not confirmed with your bank. Your card was not charged. Try again or use
    another card.`,
  canceled: "The payment was canceled. The card was not charged.",
  card_lost: "The card was declined. Try another card.",
  card_stolen: "The card was declined. Try another card.",
  card_gone: "This card is no longer on file. Use another card.",
  account_closed: "The card was declined. Try another card.",
  do_not_retry: "The card was declined. Try another card.",
  card_disputed: `Your bank reversed an earlier payment with this card. The card is charged again only when you pay with
    it yourself.`,
  provider_refused: REFUSED,
  amount_too_small: REFUSED,
  amount_too_large: REFUSED,
  currency_unsupported: REFUSED,
  request_invalid: REFUSED,
} as const satisfies Record<FailureCode, string>;

/** Faults that the payment provider finds in a typed card, by its code. */
export const cardFault = {
  card_number_invalid: "This card number is not valid. Check the number on your card.",
  // In place of `card_number_invalid` in a sandbox.
  sandboxNumber: "A sandbox takes only its test cards, such as 4242 4242 4242 4242. Never enter a real card here.",
  card_expired: "This card has expired. Check the date, or use another card.",
  cvc_invalid: "This security code is not valid. Check its 3 or 4 digits.",
} as const;
