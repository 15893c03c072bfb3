/** The sign-in by a link. */
export const signIn = {
  title: "Sign in",
  intro: "We'll send you a link to your subscriptions and invoices. You don't need a password.",
  send: "Send me a link",
  // U+2011 keeps the word on one line.
  sentTitle: "Check your e\u2011mail",
  sent: `If {seller} has an account for that address, a link is on its way. It works once and expires after
    {minutes, plural, one {# minute} other {# minutes}}.`,
  missing: "No e-mail after a few minutes? Look in your spam folder, or {another}.",
  another: "try another address",
  as: "You're signing in as {person}.",
  signedInAs: "You are signed in as {person}.",
  insteadAs: "This link signs you in as {person} instead.",
  stay: "Stay signed in",
  goneTitle: "This link no longer works",
  gone: `Sign-in links work once, and only for a short time. Go back and open your account again, or get a new link
    here.`,
} as const;
