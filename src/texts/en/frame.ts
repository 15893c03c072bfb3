/** Texts around the content of many pages. */
export const frame = {
  sandbox: "Sandbox",
  sandboxNote: "No real money moves here: never enter a real card.",
  sandboxClock: "The clock is set to {day}.",
  // A page has a link to the mailbox for visitors from the machine of the server.
  sandboxMail: "This is a sandbox: every e-mail is also in {mailbox}.",
  sandboxMailbox: "the test mailbox",
  optional: "optional",
  errorTitle: "Error: {title}",
  checkFields: "Please check the fields",
  refresh: "Refresh",
  back: "Back to {seller}",
  onward: "Continue to {seller}",
  // A signed-in Customer.
  person: "{name} ({email})",
  oneMoment: "One moment, please",
  // Between two sentences; Japanese has no space there.
  sentences: "{first} {second}",
} as const;

/** Faults of the request itself, and pages that are not there. */
export const problem = {
  incompleteTitle: "Your input did not come through",
  incomplete: "Part of your input was lost on the way. Go back and send it again.",
  foreignTitle: "Sent from another site",
  foreign: "For your security, we accept forms only from our own pages. Open the link again and use the form there.",
  notFoundTitle: "Page not found",
  notFound: "There is no page at this address. Check that you copied the whole link, or ask the sender for a new one.",
  methodTitle: "Not possible here",
  method: "This page can't be used in that way. Go back, or open the link again.",
  goneTitle: "This link no longer works",
  gone: `Download links work only for a short time, and only while you have access. Get a new link from the page
    where you found this one.`,
  tooLargeTitle: "Your text is too long",
  tooLarge: "Your text is longer than this page accepts. Go back and shorten it.",
  notAFormTitle: "Please use the form",
  notAForm: "This page accepts its own form only. Open the link and fill in the form there.",
  tooManyTitle: "Too many attempts",
  tooMany: "Wait a minute, then try again. Your last attempt was not carried out.",
  oursTitle: "Something went wrong",
  ours: "This is our fault. If you were paying, refresh the page to see the result. You won't be charged twice.",
  unavailableTitle: "Not available at the moment",
  unavailable: `This is our fault. Please try again in a moment. If you were paying, refresh the page to see the
    result. You won't be charged twice.`,
  returnOverTitle: "This payment page has closed",
  returnOver: `This link to your payment worked for a limited time only. To see the result, go back to {seller}, or
    open the link in your e-mail.`,
} as const;
