/** The page of a payment link, and its pricing table. */
export const buy = {
  title: "Choose an offer",
  billing: "Billing period",
  once: "One-time purchase",
  onward: "Continue",
  onwardWith: "Continue with {product}",
  nextPage: "You enter your details and pay on the next page.",
  others: "See all offers",
  ignored: "“{value}” from the link can't be used here.",
  offTitle: "This link is switched off",
  off: "The seller no longer sells through this link. You were not charged.",
  endedTitle: "This offer has ended",
  ended: "The discount of this link can no longer be used. You were not charged.",
  table: "Plans and prices",
} as const;
