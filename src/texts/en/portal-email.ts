/** The pages on which a Customer changes the e-mail address, and the pages behind the links of the e-mails. */
export const portalEmail = {
  section: "E-mail",
  change: "Change e-mail address",
  confirmAwaited: "To use {email}, open the link that we sent there.",
  withdraw: "Keep the present address",
  title: "Change your e-mail address",
  present: "Your present address is {email}.",
  label: "New e-mail address",
  same: "Your account already uses this address.",
  send: "Send a confirmation link",
  sentTitle: "Check your e-mail",
  sent: `We are sending a link to {email}. Open the link within {hours, plural, one {one hour} other {# hours}} to
    confirm the address. Until then, your present address stays.`,
  noMail: "No e-mail after a few minutes? Look in your spam folder, or {again}.",
  again: "try again",
  tooManyTitle: "Too many requests",
  tooMany: "You have asked for several links. Wait an hour and try again.",
  confirmTitle: "Confirm your e-mail address",
  confirm: `Your account at {seller} will use {email} for signing in, receipts and other messages. You then sign in
    again with this address.`,
  confirmSubmit: "Confirm this address",
  changedTitle: "Your e-mail address was changed",
  changed: "From now on, sign in with your new address. We have told your earlier address about the change.",
  signIn: "Sign in",
  takenTitle: "This address can't be used",
  taken:
    "This address can't be used for the account, and the account keeps its present address. If you have another " +
    "account with this address, sign in to that one.",
  goneTitle: "This link no longer works",
  gone: `A confirmation link works once, within {hours, plural, one {one hour} other {# hours}}, and only until you
    ask for another address. You can get a new link in your account.`,
  undoTitle: "Undo the change of your e-mail address?",
  undo: `Your account at {seller} gets {email} back. Everyone is signed out of the account, and open links stop
    working.`,
  undoSubmit: "Undo the change",
  undoneTitle: "Your earlier e-mail address is back",
  undone:
    "The change was undone, and everyone was signed out. Sign in with your earlier address to check your account.",
  undoGone: `The change was undone already, or more than {days, plural, one {one day} other {# days}} have passed
    since then. If you need help, contact {seller}.`,
} as const;
