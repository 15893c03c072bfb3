/** E-mails about a new price of a subscription. */
export const mailPrice = {
  subject: "The price of {product} changes on {day}",
  title: "The price of your subscription changes",
  notice: "The price of {product} changes on {day}. Until then, you pay the present price.",
  before: "Until then",
  inUnits: "{price} ({units})",
  goesOn: "You do not need to do anything to continue.",
  consent: `Your subscription continues at this price only if you agree. Otherwise, it ends on {day}, and you will not
    be charged again.`,
  agree: "See the new price",
  reminderSubject: "{product} ends on {day} unless you agree to the new price",
  reminderTitle: "Your subscription ends on {day} unless you agree to the new price",
  reminder: "From {day}, {product} has a new price, and you have not agreed to it yet.",
  ended: `Your subscription to {product} ended on {day}, because you did not agree to the new price. Your access has
    ended, too.`,
} as const;
