/** The purchase on the page after a payment. */
export const deliverables = {
  title: "Your purchase includes",
  paidWith: "Paid {amount} with {card}.",
  paid: "Paid {amount}.",
  cardSaved: "Your card is saved: {card}.",
  cardName: "{brand} ending in {last4}",
  // A feature with a number or a text.
  valued: "{benefit}: {value}",
  preparing: "We're preparing this. It appears here as soon as it is ready.",
  invoice: "Invoice {number}",
  pdf: "PDF",
  pdfOf: "Invoice {number} as a PDF",
  account: "Your account with {seller}",
  keySent: "We've e-mailed your license key to {email}.",
  receiptSent: "We've e-mailed your receipt to {email}.",
  signInFor: "To see your purchase, sign in with {email}.",
  signIn: "Sign in to see your purchase",
  managePlan: "Manage your plan",
} as const;
