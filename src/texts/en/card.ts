import { DISCOUNT_REFUSALS } from "../../domain/discount/code.ts";
import { DECLINE_MESSAGES } from "../../domain/payment/outcome.ts";

/** The fields of a card, and the provider's page that takes a card. */
export const card = {
  legend: "Card",
  number: "Card number",
  expiry: "Expiry date",
  expiryForm: "MM / YY",
  cvc: "Security code",
  cvcForm: "CVC",
  numberMissing: "Enter your card number.",
  numberIncomplete: "Enter the whole card number, 12 to 19 digits.",
  numberWrong: "This card number is not valid. Check its digits.",
  expiryIncomplete: "Enter the month and year as on the card, such as 04\u00a0/\u00a029.",
  expiryPast: "This date is in the past. Check it, or use another card.",
  cvcIncomplete: "Enter the security code, 3 or 4 digits.",
  cvcThree: "Enter the 3 digits from the back of your card.",
  cvcFour: "Enter the 4 digits from the front of your card.",
  emptied: "Enter your card again: for your security, this page does not keep it.",
  emptiedToo: "Enter this again, too.",
  testCards: "Test cards",
  testCardsNote: "Any month that is not past and any security code will do.",
  toPayment: "Continue to payment",
  toCard: "Continue to your card",
  paidAt: "You pay on the page of {provider}.",
  savedAt: "You enter your card on the page of {provider}. You won't be charged today.",
  enteredAt: "You enter your card on the page of {provider}.",
  theProvider: "the payment provider",
} as const;

/** Why a discount code can't be used, by its code. The API says the same. */
export const refusedCode = {
  ...DISCOUNT_REFUSALS,
  discount_not_for_product: "The discount is not for this product.",
} as const;

/** Why a payment failed, by its code. The API says the same. */
export const decline = {
  ...DECLINE_MESSAGES,
  insufficient_funds: "Your card has insufficient funds. Try another card.",
} as const;

/** Faults that the payment provider finds in a typed card, by its code. */
export const cardFault = {
  card_number_invalid: "This card number is not valid. Check the number on your card.",
  // In place of `card_number_invalid` in a sandbox.
  sandboxNumber: "A sandbox takes only its test cards, such as 4242 4242 4242 4242. Never type a real card here.",
  card_expired: "Enter a month that is not in the past, or use another card.",
  cvc_invalid: "The security code has 3 or 4 digits.",
} as const;
