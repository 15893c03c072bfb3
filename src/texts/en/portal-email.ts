/** The pages on which a Customer changes the e-mail address, and the pages behind the links of the e-mails. */
export const portalEmail = {
  section: "E-mail",
  change: "Change e-mail address",
  confirmAwaited: "To use {email}, open the link that we sent there.",
  withdraw: "Keep the current address",
  // In headings, U+2011 keeps the word on one line.
  title: "Change your e\u2011mail address",
  current: "Your current address is {email}.",
  label: "New e-mail address",
  same: "Your account already uses this address.",
  send: "Send a confirmation link",
  sentTitle: "Check your e\u2011mail",
  sent: `We are sending a link to {email}. Open it within {hours, plural, one {one hour} other {# hours}} to
    confirm the address. Until then, your account keeps its current address.`,
  noMail: "No e-mail after a few minutes? Look in your spam folder, or {again}.",
  again: "try again",
  tooManyTitle: "Too many requests",
  tooMany: "You've asked for too many links. Wait an hour, then try again.",
  confirmTitle: "Confirm your e\u2011mail address",
  confirm: `Your account at {seller} will use {email} for signing in, receipts and other messages. You'll then need
    to sign in again with this address.`,
  confirmSubmit: "Confirm this address",
  changedTitle: "Your e\u2011mail address was changed",
  changed: "From now on, sign in with your new address. We've told your previous address about the change.",
  signIn: "Sign in",
  takenTitle: "This address can't be used",
  taken: "Your account keeps its current address. If you have another account with this address, sign in to that one.",
  goneTitle: "This link no longer works",
  gone: `A confirmation link works once, within {hours, plural, one {one hour} other {# hours}}, and only until you
    ask for another address. You can get a new link in your account.`,
  undoTitle: "Undo the change of e\u2011mail address?",
  undo: `Your account at {seller} will use {email} again. Everyone will be signed out, and links that were sent before
    will stop working.`,
  undoSubmit: "Undo the change",
  undoneTitle: "Your previous e\u2011mail address is back",
  undone: `The change was undone, and everyone was signed out. Sign in with your previous address to check your
    account.`,
  undoGone: `The change has already been undone, or it was made more than {days, plural, one {one day} other {#
    days}} ago. If you need help, contact {seller}.`,
} as const;
