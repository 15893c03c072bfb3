/** The page on which a Customer gives another card. */
export const portalCard = {
  title: "Use another card",
  account: "The card is saved for {person}.",
  noteOwed: "The {amount} that you owe is charged to this card at once, and so are later payments.",
  noteLater: "You pay nothing now. Later payments are charged to this card.",
  noteUnused: "You pay nothing now, and no charge is planned.",
  save: "Save card",
  saving: "One moment: your card is being saved.",
  consent: `By saving the card, you allow {seller} to charge this card for open amounts, and for later payments until
    you cancel.`,
  impossibleTitle: "Not possible right now",
  no_provider: "The seller can't take cards at the moment. Please tell the seller.",
  payments_paused: "The seller can't take cards just now. Try again in a few minutes.",
  waiting: "Your card is being saved. You are not charged.",
  waitingOwed: "Your card is being saved. Then the {amount} that you owe is charged to it.",
  hosted: "Enter your card on the next page. Then you come back to this page.",
  confirm: "Your bank asks you to confirm the use of your card. Then you come back to this page.",
  failedTitle: "Your card was not saved",
  otherWaits: "Another card is being saved. Try again in a minute.",
  tooManyTitle: "Too many attempts",
  tooMany: "Too many cards were declined. Ask your bank, and try again tomorrow.",
} as const;
