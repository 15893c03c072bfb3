/** Texts around the content of many pages. */
export const frame = {
  sandbox: "Sandbox",
  sandboxNote: "No real money moves here: never type a real card.",
  sandboxClock: "Its clock stands at {day}.",
  // A page has a link to the mailbox for visitors from the machine of the server.
  sandboxMail: "This is a sandbox: every e-mail is also in {mailbox}.",
  sandboxMailbox: "its mailbox",
  optional: "optional",
  errorTitle: "Error: {title}",
  checkFields: "Please check the fields",
  refresh: "Refresh",
  back: "Back to {place}",
  onward: "Continue to {place}",
  // A Customer who is signed in.
  person: "{name}, {email}",
  oneMoment: "One moment, please",
  // Between two sentences; Japanese has no space there.
  sentences: "{first} {second}",
} as const;

/** Faults of the request itself, and pages that are not there. */
export const problem = {
  incompleteTitle: "Your input did not arrive",
  incomplete: "Your input did not arrive as you typed it. Go back and send it again.",
  foreignTitle: "Sent from another site",
  foreign: "Forms are accepted only from our own pages. Open the link again and use its form.",
  notFoundTitle: "Page not found",
  notFound: "There is no page at this address. Check that you copied the whole link, or ask the sender for a new one.",
  methodTitle: "Not possible here",
  method: "This page can't be used in that way. Open it in a browser.",
  goneTitle: "This link no longer works",
  gone:
    "Links to files work for a short time, while access lasts. " +
    "Get a new link from the page where you found this one.",
  tooLargeTitle: "Your text is too long",
  tooLarge: "Your text is longer than this page accepts. Go back and shorten it.",
  notAFormTitle: "Not sent by a form",
  notAForm: "This page accepts its own form only. Open the link and fill in the form there.",
  tooManyTitle: "Too many attempts",
  tooMany: "Wait a minute and try again. The last attempt was not carried out.",
  oursTitle: "Something went wrong",
  ours:
    "This is our fault. If you were paying, load the page again: it shows the result of the payment. " +
    "You won't be charged twice.",
  unavailableTitle: "Not available at the moment",
  unavailable:
    "Please try again in a moment. This is our fault. If you were paying, load the page again: it shows the result " +
    "of the payment. You won't be charged twice.",
  returnOverTitle: "This payment page has closed",
  returnOver: `This address leads to the page of a payment for a limited time only. To see the result, open the page of
    {seller}, or the link in your e-mail.`,
} as const;
