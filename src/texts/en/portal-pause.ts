/** Pauses in the portal: their state, and the page on which a Customer resumes a Subscription. */
export const portalPause = {
  title: "Resume {product}?",
  charge: "A new period begins now and runs until {day}. {amount} is charged to {card}.",
  free: "A new period begins now and runs until {day}. You won't be charged.",
  back: "Your access comes back as soon as the payment has gone through.",
  noCard: "A new period costs {amount}, and there is no card on file. Add a card first.",
  submit: "Resume and pay {amount}",
  submitFree: "Resume now",
  keep: "Stay paused",
  changed: "The amount or the card has changed. Please check it again.",
  pauses: "Pauses on {day}.",
  pausesUntil: "Pauses on {day}, until {until}.",
  pausedUntil: "Paused until {until}. You won't be charged before then.",
  pausedOpen: "Paused. You won't be charged until you resume it.",
  undo: "Undo the pause",
  resume: "Resume subscription",
  cancelToo: "This also undoes the planned pause.",
} as const;
