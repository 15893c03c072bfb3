/** A new price of a subscription in the portal, and the page on which a Customer agrees to it. */
export const portalPrice = {
  title: "New price of {product}",
  // The price that counts until the day of the new one.
  before: "Until then",
  asked: `Your subscription continues at this price only if you agree. Otherwise, it ends on {day}, and you won't be
    charged again.`,
  agree: "Agree to the new price",
  keep: "Not now",
  missing: "{product} ends on {day} unless you agree to the new price",
  missingText: "From then on, it costs {price}.",
  see: "See the new price",
  ends: "Ends on {day} unless you agree to the new price.",
  agreedOn: "You agreed to the new price on {day}.",
  changed: "The price has changed. Please check it again.",
} as const;
