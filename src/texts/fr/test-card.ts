import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "Cartes acceptées",
} as const satisfies Translation["brand"];
/** The behaviour of each test card of a sandbox, after the number of the card. */
export const testCard = {
  pays: "paie",
  otherCard: "paie ; une autre carte que la première",
  card_declined: "est refusée",
  insufficient_funds: "est refusée : provision insuffisante",
  card_expired: "est refusée : carte expirée",
  fails_later: "paie maintenant, puis est refusée à chaque renouvellement",
  authenticates: "demande à l’acheteur de s’authentifier",
  processing_error: "est refusée : erreur de traitement",
  answer_lost: "paie, mais la réponse se perd",
  refund_fails: "paie, mais les remboursements échouent ensuite",
  account_refused: "amène le prestataire de paiement à refuser tous les paiements du vendeur",
  charge_refused: "est rejetée : le prestataire de paiement juge tout montant trop élevé",
  processing: "paie au bout d’un moment",
} as const satisfies Translation["testCard"];
