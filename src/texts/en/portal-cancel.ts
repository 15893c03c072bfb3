/** The page on which a Customer cancels a Subscription. */
export const portalCancel = {
  title: "Cancel {product}?",
  until: "You keep {product} until {day}. You won't be charged again.",
  untilLast: "You keep {product} until {day}. On that day, {amount} is charged one last time, for an earlier change.",
  untilOwed: `You keep {product} until {day}, provided that you pay the {amount} that you owe. You won't be charged
    after that.`,
  trial: "Your free trial of {product} continues until {day}. You won't be charged.",
  suspended: "Your subscription to {product} ends on {day}. You won't be charged for another period.",
  now: "{product} ends immediately, and your open invoices become void. You can't undo this.",
  lose: "You'll then lose:",
  undo: "You can undo this before that day.",
  why: "Why are you canceling?",
  too_expensive: "It's too expensive",
  missing_features: "It's missing something I need",
  switched_service: "I've switched to something else",
  unused: "I don't use it enough",
  customer_service: "The support wasn't good enough",
  low_quality: "It doesn't work well enough",
  too_complex: "It's too complicated",
  other: "Another reason",
  submit: "Cancel on {day}",
  submitNow: "Cancel now",
  keep: "Keep {product}",
  busyTitle: "Not possible right now",
  busy: `Another action on this subscription is in progress. Your subscription was not changed. Try again in a few
    minutes.`,
} as const;
