/** The sentences about deeds with money that were just done. */
export const MONEY_DONE = {
  refunded: "The refund is made. A refund to a card is pending until the payment provider has answered.",
  voided: "The invoice is void.",
  marked: "The invoice is marked as paid.",
  charged: "The charge succeeded, and the invoice is paid.",
  "charge-sent": "The charge was sent. The payments on this page show its outcome.",
  adjusted: "The balance is adjusted.",
  "paid-out": "The credit is on its way to the card. The movements of the balance show the outcome.",
} as const;
