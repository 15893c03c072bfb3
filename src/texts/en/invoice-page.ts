/** The page of an open invoice: the reason, and the ways to pay. */
export const invoicePage = {
  resultAwaited: "The result of your payment on the page of {provider} is awaited. You won't be charged twice.",
  notCompleted: "The payment of {day} on the page of {provider} was not completed. Your card was not charged.",
  confirm: "Your bank asks you to confirm the payment of {amount} with {card}.",
  earlierFirst: "An earlier invoice is charged first. This invoice follows.",
  processing: "The payment of {amount} with {card} is being processed. You won't be charged twice.",
  charging: "{amount} is being charged to {card} right now. You can leave this page; you won't be charged twice.",
  // In place of a card's name in these sentences.
  yourCard: "your card",
  failed: "{amount} could not be charged to {card} on {day}.",
  notCharged: "{amount} was not charged to {card} on {day}.",
  retry: "Unless you pay first, {card} is charged again on {day}.",
  restart: "Your last period is over. You pay the {owed} that you owe, and {amount} for {product} until {day}.",
  noProvider: "The seller can't take payments at the moment. Please tell the seller.",
  tooManyCards: "Too many cards were declined. This page accepts no more cards. Ask your bank, then the seller.",
  payWithCard: "Pay with a card",
  payWithOther: "Or pay with another card",
  pay: "Pay {amount}",
  busy: "One moment: your payment is being made.",
  consent: `By paying, you allow {seller} to charge this card for all other open amounts, and for later
    payments until you cancel.`,
} as const;
