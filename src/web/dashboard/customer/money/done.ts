/** The sentences about deeds with money that were just done. */
export const MONEY_DONE = {
  voided: "The invoice is void.",
  marked: "The invoice is marked as paid.",
  charged: "The charge succeeded, and the invoice is paid.",
  "charge-sent": "The charge is pending. The list of payments shows the outcome.",
  adjusted: "The balance is adjusted.",
  "paid-out": "The payout is pending. The list of movements shows the outcome.",
} as const;
