/** Texts around each e-mail to a buyer. */
export const mailFrame = {
  sandbox: "This e-mail comes from a sandbox. No real money has moved.",
  reason: "You are receiving this e-mail because you are a customer of {seller}.",
  // Before a value in plain text, and before an address.
  label: "{name}:",
} as const;

/** E-mails about a charge that needs the buyer, and about a card that expires. */
export const mailPayment = {
  failedSubject: "Your payment of {amount} for {product} failed",
  failedTitle: "Your payment did not go through",
  failed: "We could not charge {amount} for {product} to {card}.",
  due: "{amount} for {product} is due.",
  retry: "We will try again on {day}, unless you pay before then.",
  noRetry: "We will not charge this amount again automatically. Please pay with a card.",
  pay: "Pay {amount}",
  dueTitle: "Your payment is due",
  payByCard: "Please pay with a card.",
  heldSubject: "Please pay {amount} for {product}",
  heldTitle: "We did not charge your card",
  held: `{amount} for {product} is due. We did not charge {card}, because your bank reversed an earlier payment with
    this card after a dispute.`,
  heldCards: "You can pay with this card or with another one. We will charge later payments to the card that you use.",
  heldRetry: "We will charge your card on file on {day}, unless you pay before then.",
  confirmSubject: "Please confirm your payment of {amount}",
  confirmTitle: "Your bank asks you to confirm a payment",
  confirm: "We will charge {amount} for {product} to {card} as soon as you confirm the payment with your bank.",
  confirmAny: "We will charge {amount} for {product} to your card as soon as you confirm the payment with your bank.",
  confirmRetry: "We will try again on {day}, unless you confirm or pay before then.",
  confirmOther: "On the same page, you can also pay with another card.",
  toBank: "Confirm the payment",
  expiringSubject: "Your card ending in {last4} expires soon",
  expiringTitle: "Your card expires soon",
  expiring: `Your {brand} ending in {last4} expires at the end of {month}. Update your card to keep your
    subscription to {products} running.`,
  expiringBank: "If your bank has already sent you a new card, just enter that one.",
  updateCard: "Update your card",
} as const;

/** E-mails ahead of a charge, and at the end of a subscription. */
export const mailSubscription = {
  // The period that a payment is for. It follows an amount.
  forDay: "{count, plural, one {for the next day} other {for the next # days}}",
  forWeek: "{count, plural, one {for the next week} other {for the next # weeks}}",
  forMonth: "{count, plural, one {for the next month} other {for the next # months}}",
  forYear: "{count, plural, one {for the next year} other {for the next # years}}",
  startedSubject: "Your free trial of {product} has started",
  startedTitle: "Your free trial has started",
  started: "Your free trial of {product} runs until {day}. You were not charged.",
  longerSubject: "Your free trial of {product} now ends on {day}",
  longerTitle: "Your free trial now ends on {day}",
  longer: "Your free trial of {product} has been extended. It now runs until {day}.",
  trialSubject: "Your trial of {product} ends on {day}",
  trialTitle: "Your trial ends on {day}",
  trial: "Your trial of {product} ends on {day}.",
  trialCard: "After that, we will charge {amount} to {card} {span}. You do not need to do anything to continue.",
  trialBalance: `After that, {amount} {span} will be paid from your account balance. You do not need to do anything to
    continue.`,
  trialHeld: "After that, {amount} {span} will be due.",
  trialNoCard: `We have no card on file for you. To continue for {amount} {span}, add a card before then. Otherwise,
    your access ends on that day, and you will not be charged.`,
  renewalSubject: "{product} renews on {day}",
  renewalTitle: "Your subscription renews on {day}",
  renewal: "{product} renews on {day}.",
  renewalCard: "We will charge {amount} to {card} {span}.",
  renewalBalance: "{amount} {span} will be paid from your account balance.",
  renewalHeld: "{amount} {span} will be due then.",
  renewalNoCard: `{amount} {span} will be due then, and we have no card on file for you. Please add one before that
    day. Otherwise, we will e-mail you a link to a payment page.`,
  held: `Your bank reversed an earlier payment with {card}, so we do not charge that card automatically. Please add
    another card before then. Otherwise, we will e-mail you a link to a payment page.`,
  cancel: "If you would rather not continue, sign in to your account and cancel before {day}.",
  account: "Go to your account",
  addCard: "Add a card",
  endsSubject: "Your subscription to {product} ends on {day}",
  endsTitle: "Your subscription ends on {day}",
  endsLost: "You will lose",
  endsUndo: "If you change your mind, sign in to your account before that day and undo the cancellation.",
  continuesSubject: "Your subscription to {product} continues",
  continuesTitle: "Your subscription continues",
  continues: "The cancellation of your subscription to {product} was undone.",
  droppedSubject: "Your plan {product} stays as it is",
  droppedTitle: "The planned change of your plan was canceled",
  dropped: `The change of your plan that was planned for {day} is no longer possible, so we canceled it. Your plan
    stays {product}.`,
  endedSubject: "Your subscription to {product} has ended",
  endedTitle: "Your subscription has ended",
  ended: "Your subscription to {product} ended on {day}, and so did your access. It will not renew.",
  unpaid: `Your subscription to {product} ended on {day}, because the payment did not go through. Your access has
    ended, too. We will not try to charge you again.`,
  again: "You can subscribe again with {seller} at any time.",
  trialEndedSubject: "Your trial of {product} has ended",
  trialEndedTitle: "Your trial has ended",
  trialEnded: "Your trial of {product} ended on {day}, and so did your access. You were not charged.",
  unrecognizedSubject: "{product} has ended because you did not recognize the purchase",
  unrecognizedTitle: "A purchase that you did not recognize has ended",
  unrecognized: `{product} was bought with your e-mail address. You told us that you do not recognize this
    purchase, so it ended on {day}. You will not be charged for it.`,
  notYou: "If that was not you, please contact {seller}.",
} as const;

/** E-mails about a pause. */
export const mailPause = {
  subject: "Your subscription to {product} pauses on {day}",
  title: "Your subscription pauses on {day}",
  until: "{product} pauses on {day} and continues on {until}. You will not be charged during the pause.",
  open: `{product} pauses on {day}. You will not be charged during the pause. Your subscription continues as soon as
    you resume it in your account.`,
  begunSubject: "Your subscription to {product} is paused",
  begunTitle: "Your subscription is paused",
  begunUntil: `{product} has been paused since {day} and continues on {until}. You will not be charged during the
    pause.`,
  begunOpen: `{product} has been paused since {day}. You will not be charged during the pause. Your subscription
    continues as soon as you resume it in your account.`,
  accessOff: `Your access is off during the pause. It comes back when your subscription continues and the payment
    has gone through.`,
  accessStays: "You keep your access during the pause.",
  change: "If you change your mind, sign in to your account. You can undo the pause, or end it at any time.",
  end: "If you change your mind, sign in to your account. You can end the pause at any time.",
  undone: "The planned pause of your subscription to {product} was undone.",
  resumeSubject: "{product} continues on {day}",
  resumeTitle: "Your subscription continues on {day}",
  resume: "The pause of {product} ends on {day}.",
} as const;

/** The receipt, with the deliverables of a purchase. */
export const mailReceipt = {
  noted: "{name} ({notes})",
  subject: "Your receipt from {seller}: {total}",
  title: "Thank you for your payment",
  orderSubject: "Your order from {seller}",
  orderTitle: "Thank you for your order",
  order: "Your order for {product} is complete. You were not charged.",
  paid: "{status}. Invoice {number} is attached as a PDF.",
  deliverables: "Your purchase",
  licenseKey: "License key",
  devices: "{count, plural, one {For # device} other {For up to # devices}}",
  signIn: "Sign in with your e-mail address to download your files.",
  download: "Download your files",
  included: "Included",
  deliverablesInAccount: "Your license keys and downloads are in your account.",
  noFurtherCharge: "Your subscription to {product} has ended. You won't be charged again.",
  invoice: "View the invoice",
  pdf: "Invoice as a PDF",
  account: "Go to your account",
  site: "Back to {seller}",
} as const;

/** The link to the portal. */
export const mailSignIn = {
  subject: "Sign in to {seller}",
  one: `Use this link to sign in and see your subscriptions and invoices. It works once and expires after {minutes,
    plural, one {# minute} other {# minutes}}.`,
  several: `There are several accounts with your e-mail address at {seller}. Here is a link to each of them. Each
    link works once and expires after {minutes, plural, one {# minute} other {# minutes}}.`,
  signIn: "Sign in",
  signInAs: "Sign in as {account}",
  ignore: "If you did not ask for this e-mail, you can ignore it. No one can sign in without it.",
} as const;
