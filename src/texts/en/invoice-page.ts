/** The page of an open invoice: the reason, and the ways to pay. */
export const invoicePage = {
  resultAwaited: "We're waiting for the result of your payment on {provider}'s page. You won't be charged twice.",
  notCompleted: "On {day}, your payment on {provider}'s page was not completed. Your card was not charged.",
  confirm: "Your bank asks you to confirm the payment of {amount} with {card}.",
  earlierFirst: "An earlier invoice is charged first, then this one.",
  processing: "The payment of {amount} with {card} is being processed. You won't be charged twice.",
  charging: "{amount} is being charged to {card} right now. You can leave this page; you won't be charged twice.",
  // In place of a card's name in these sentences.
  yourCard: "your card",
  failed: "{amount} could not be charged to {card} on {day}.",
  notCharged: "{amount} was not charged to {card} on {day}.",
  retry: "Unless you pay before then, we will try {card} again on {day}.",
  restart: "Your last period has ended. You pay the {owed} that you owe, plus {amount} for {product} until {day}.",
  noProvider: "The seller can't take payments at the moment. Please let the seller know.",
  tooManyCards: "Too many cards were declined, so this page accepts no more cards. Contact your bank, then the seller.",
  settled: "Thank you. Everything is paid, and you have access to {product}.",
  payWithCard: "Pay with a card",
  payWithOther: "Or pay with another card",
  pay: "Pay {amount}",
  busy: "One moment, we're processing your payment.",
  processingTitle: "Your payment is being processed",
  consent: `By paying, you allow {seller} to charge this card for all other open amounts and for later payments,
    until you cancel.`,
  consentHosted: `By paying, you allow {seller} to charge the card that you use for all other open amounts and for
    later payments, until you cancel.`,
} as const;
