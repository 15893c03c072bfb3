import type { Translation } from "../translation.ts";

export const deliverables = {
  title: "Votre achat comprend",
  paidWith: "Vous avez payé {amount} avec la carte {card}.",
  paid: "Vous avez payé {amount}.",
  cardSaved: "Votre carte est enregistrée : {card}.",
  cardName: "{brand} se terminant par {last4}",
  valued: "{benefit} : {value}",
  preparing: "En cours de préparation : cet élément s’affichera ici dès qu’il sera prêt.",
  invoice: "Facture {number}",
  pdf: "PDF",
  pdfOf: "Facture {number} au format PDF",
  account: "Votre compte chez {seller}",
  keySent: "Votre clé de licence a été envoyée par e-mail à {email}.",
  receiptSent: "Votre reçu a été envoyé par e-mail à {email}.",
  signInFor: "Pour voir votre achat, connectez-vous avec {email}.",
  signIn: "Se connecter pour voir votre achat",
  managePlan: "Gérer votre forfait",
} as const satisfies Translation["deliverables"];
