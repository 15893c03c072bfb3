/** E-mails about a change of the e-mail address: to the new address, and to the old one. */
export const mailEmailChange = {
  confirmSubject: "Confirm your e-mail address for {seller}",
  confirmTitle: "Confirm your e-mail address",
  confirm: "You asked {seller} to use this address for your account. Please confirm that the address is yours.",
  confirmLink: "Confirm this address",
  confirmOnce: `{hours, plural, one {The link works once, within one hour.} other {The link works once, within #
    hours.}}`,
  confirmIgnore:
    "If you did not ask for this, you can ignore this e-mail. Without your confirmation, the address is not used.",
  confirmReason: "You receive this e-mail because someone entered this address for an account at {seller}.",
  changedSubject: "Your e-mail address at {seller} was changed",
  changedTitle: "Your e-mail address was changed",
  changed: "Your account at {seller} now uses the address {address}. You will no longer get e-mails about it here.",
  changedIgnore: "If you made this change, there is nothing to do.",
  changedUndo: `If this wasn't you, undo the change within {days, plural, one {one day} other {# days}}. Your account
    gets this address back, and everyone is signed out of it.`,
  undoLink: "Undo the change",
} as const;
