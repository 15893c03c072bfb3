/** The notice on the portal's home page after a change that succeeded. */
export const portalDone = {
  details: "Your details are saved.",
  card: "Your card is saved.",
  cancel: "Your cancellation is confirmed.",
  keep: "Your cancellation is undone. Your subscription continues.",
  pause: "The pause is planned.",
  undoPause: "The pause is undone. Your subscription continues.",
  resume: "Your subscription continues.",
  price: "Thank you. You agreed to the new price.",
  keepPlan: "Your plan stays as it is.",
  withdrawEmail: "Your e-mail address stays as it is. The confirmation link no longer works.",
  disown: "The subscription has ended. The seller sees that you did not recognize it.",
  planCard: "The subscription is charged to your card from now on.",
} as const;
