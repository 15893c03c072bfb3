/** The sign-in by a link. */
export const signIn = {
  title: "Sign in",
  intro: "See your subscriptions and invoices. We send you a link, so you need no password.",
  send: "Send me a link",
  sentTitle: "Check your e-mail",
  sent: `If {seller} knows that address, a message with a link is on its way. The link works once, for {minutes, plural,
    one {# minute} other {# minutes}}.`,
  missing: "No message after a few minutes? Look in your spam folder, or {another}.",
  another: "try another address",
  as: "You sign in as {person}.",
  signedInAs: "You are signed in as {person}.",
  insteadAs: "This link signs you in as {person} instead.",
  stay: "Stay signed in",
  goneTitle: "This link is no longer good",
  gone: "A link signs in once, and only for a short time. Go back and open your account again, or get a new link here.",
} as const;
