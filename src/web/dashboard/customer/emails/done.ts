/** The sentence about an e-mail that was just sent again. */
export const EMAILS_DONE = {
  "sent-again": "The e-mail is queued. The list of e-mails on this page shows its state.",
} as const;
