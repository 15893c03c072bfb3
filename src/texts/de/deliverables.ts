import type { Translation } from "../translation.ts";

export const deliverables = {
  title: "Das erhalten Sie",
  paidWith: "{amount} mit {card} bezahlt.",
  paid: "{amount} bezahlt.",
  cardSaved: "Ihre Karte ist hinterlegt: {card}.",
  cardName: "{brand} (Endziffern {last4})",
  valued: "{benefit}: {value}",
  preparing: "Wird gerade vorbereitet und erscheint hier, sobald es bereitsteht.",
  invoice: "Rechnung {number}",
  pdf: "PDF",
  pdfOf: "Rechnung {number} als PDF",
  account: "Ihr Konto bei {seller}",
  keySent: "Ihr Lizenzschlüssel wurde per E-Mail an {email} gesendet.",
  receiptSent: "Ihr Zahlungsbeleg wurde per E-Mail an {email} gesendet.",
  signInFor: "Melden Sie sich mit {email} an, um Ihren Kauf zu sehen.",
  signIn: "Anmelden und Kauf ansehen",
  managePlan: "Tarif verwalten",
} as const satisfies Translation["deliverables"];
