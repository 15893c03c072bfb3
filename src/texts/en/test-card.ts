/** The behaviour of each test card of a sandbox, after the number of the card. */
export const testCard = {
  pays: "pays",
  otherCard: "pays; a different card from the first",
  card_declined: "is declined",
  insufficient_funds: "is declined: not enough funds",
  card_expired: "is declined: expired",
  fails_later: "pays now, and is declined at every renewal",
  authenticates: "asks the buyer to authenticate",
  processing_error: "is declined: processing error",
  answer_lost: "pays, but the answer is lost",
  refund_fails: "pays, and refunds fail later",
  account_refused: "makes the provider refuse every charge of the seller",
  charge_refused: "is refused: the provider finds each amount too large",
  processing: "pays after a while",
} as const;
