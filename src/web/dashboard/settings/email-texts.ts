import type { EmailKind, SwitchedEmailKind } from "../../../domain/model/email.ts";

/** `off`: the effect of switching the kind off, if there is another one than that the e-mail is missing. */
type EmailText = { title: string; when: string; off?: string };

/** The occasion of each kind of e-mail, in a sentence. */
export const EMAILS: Record<EmailKind, EmailText> = {
  receipt: {
    title: "Receipt",
    when: "Sent when an invoice above zero is paid, with the invoice as a PDF and the license keys of a purchase.",
    off: "Without this e-mail, buyers find invoices and license keys in the portal.",
  },
  payment_failed: {
    title: "Payment failed",
    when: "Sent when a renewal or another charge without the buyer fails, with the reason and a page for another card.",
    off: "Without this e-mail, only the portal shows the failure to the buyer.",
  },
  authentication_required: {
    title: "Confirmation by the bank",
    when: "Sent when the bank wants the buyer to confirm a charge, such as a renewal.",
    off: "Without this e-mail, the buyer gets “Payment failed” instead.",
  },
  order_confirmation: {
    title: "Order confirmation",
    when: "Sent for a purchase of 0, with the license keys and the files: a free Product, or a discount of the price.",
  },
  trial_started: {
    title: "Trial started",
    when: "Sent at the beginning of a trial, with its last day, the license keys and the way to cancel.",
  },
  trial_extended: {
    title: "Trial extended",
    when: "Sent when a trial is lengthened, with its new last day and the first charge.",
  },
  trial_ending: {
    title: "Trial ending",
    when: "Sent 3 days before the end of a trial, with the first charge and the way to cancel.",
  },
  renewal_upcoming: {
    title: "Renewal ahead",
    when: "Sent 7 days before the end of a period of a month or more, with the amount and the way to cancel.",
  },
  cancellation_scheduled: {
    title: "Cancellation scheduled",
    when: "Sent when the end of a Subscription is scheduled, with the day and the Benefits that end.",
  },
  cancellation_undone: {
    title: "Cancellation undone",
    when: "Sent when a scheduled end is undone, with the next charge.",
  },
  pause_scheduled: {
    title: "Pause scheduled",
    when: "Sent when a pause is scheduled or changed, with its days and the access during the pause.",
  },
  pause_undone: {
    title: "Pause undone",
    when: "Sent when a pause is undone before its begin, with the next charge.",
  },
  pause_begun: {
    title: "Pause begun",
    when: "Sent when a pause begins, with the access during the pause and the way to end it.",
  },
  resume_upcoming: {
    title: "Resume ahead",
    when: "Sent 3 days before a paused Subscription resumes, with the amount and the card.",
  },
  price_change: {
    title: "New price",
    when: "Sent when a Subscription gets notice of a new price, with both prices, the first day and the way to cancel.",
  },
  price_change_reminder: {
    title: "Consent to a new price",
    when: "Sent 7 days before the first day of a new price, if the Customer has not agreed to it and has to.",
  },
  change_dropped: {
    title: "Planned change canceled",
    when: "Sent when a planned change is no longer possible, for instance because its Product was archived.",
  },
  renewal_failed: {
    title: "Ended without payment",
    when: "Sent when the last retry has failed and the Subscription has ended.",
  },
  canceled: {
    title: "Subscription ended",
    when: "Sent when a Subscription has ended for another reason than a failed payment.",
  },
  card_request: {
    title: "Request for a card",
    when: "Sent after an import without cards, and 3 days before the first renewal, with a link to give a card.",
    off: "Without this e-mail, the notices of the renewal and of the end of a trial ask for a card.",
  },
  card_expiring: {
    title: "Card expiring",
    when: "Sent 30 days before a card expires, if the card pays for a Subscription.",
  },
  portal_sign_in: {
    title: "Sign-in to the portal",
    when: "Sent when a person types a Customer's e-mail address into the portal.",
  },
  portal_email_confirm: {
    title: "Confirm a new address",
    when: "Sent to the new address when a Customer asks for another e-mail address.",
  },
  portal_email_changed: {
    title: "Address changed",
    when: "Sent to the old address when the e-mail address of a Customer was changed.",
  },
  payments_connected: {
    title: "Account connected",
    when: "Sent to your contact address when an account for payments is connected.",
  },
  payments_disconnected: {
    title: "Account disconnected",
    when: "Sent to your contact address when an account for payments is disconnected.",
  },
  import_alarm: {
    title: "Import to look at",
    when: "Sent to your contact address when an import leaves a subscription that both systems charge, or neither.",
  },
  team_invitation: {
    title: "Invitation to the team",
    when: "Sent to a person who is invited to this dashboard.",
  },
  team_password: {
    title: "Forgotten password",
    when: "Sent to a person who asks for a new password of this dashboard.",
  },
  team_access_reset: {
    title: "Access set anew",
    when: "Sent to a person after a link for a new password has ended all former access to the account.",
  },
};

export type UnswitchedEmailKind = Exclude<EmailKind, SwitchedEmailKind>;

const NEWS = "The e-mail warns you of a stranger on your server. Without a contact address, the e-mail is not sent.";

/** The reason why a kind has no switch. */
export const WITHOUT_SWITCH: Record<UnswitchedEmailKind, string> = {
  portal_sign_in: "Without this e-mail, a Customer could not sign in.",
  portal_email_confirm: "The link proves that the address belongs to the Customer.",
  portal_email_changed: "With this e-mail, a Customer can undo a change that a stranger made.",
  payments_connected: NEWS,
  payments_disconnected: NEWS,
  import_alarm: "The e-mail warns the seller of double charges. Without a contact address, Billow does not send it.",
  team_invitation: "The person joins by the link in the e-mail.",
  team_password: "The person chooses a new password by the link in the e-mail.",
  team_access_reset: "The e-mail warns the person of a stranger.",
};
