/** E-mails about a change of the e-mail address: to the new address, and to the old one. */
export const mailEmailChange = {
  confirmSubject: "Confirm your e-mail address for {seller}",
  // In headings, U+2011 keeps the word on one line.
  confirmTitle: "Confirm your e\u2011mail address",
  confirm: "You asked {seller} to use this address for your account. Please confirm that the address is yours.",
  confirmLink: "Confirm this address",
  confirmOnce: `{hours, plural, one {The link works once and expires after one hour.} other {The link works once
    and expires after # hours.}}`,
  confirmIgnore: `If you did not ask for this, you can ignore this e-mail. Without your confirmation, the address
    will not be used.`,
  confirmReason: "You are receiving this e-mail because someone entered this address for an account at {seller}.",
  changedSubject: "Your e-mail address at {seller} was changed",
  changedTitle: "Your e\u2011mail address was changed",
  changed: `Your account at {seller} now uses the address {address}. You will no longer get e-mails about your
    account here.`,
  changedIgnore: "If you made this change, you do not need to do anything.",
  changedUndo: `If this wasn't you, undo the change within {days, plural, one {one day} other {# days}}. Your
    account will get this address back, and everyone will be signed out.`,
  undoLink: "Undo the change",
} as const;
