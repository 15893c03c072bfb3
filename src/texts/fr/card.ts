import type { Translation } from "../translation.ts";

const SELLER_UNABLE =
  "Le vendeur ne peut pas accepter de paiement pour le moment. Aucun montant n’a été débité. Réessayez plus tard.";
const OTHER_CARD = "La carte a été refusée. Utilisez une autre carte.";

export const card = {
  legend: "Carte bancaire",
  number: "Numéro de carte",
  expiry: "Date d’expiration",
  expiryForm: "MM / AA",
  cvc: "Code de sécurité",
  cvcForm: "CVC",
  numberMissing: "Saisissez votre numéro de carte.",
  numberIncomplete: "Saisissez le numéro de carte complet (12 à 19 chiffres).",
  numberWrong: "Ce numéro de carte n’est pas valide. Vérifiez les chiffres.",
  expiryIncomplete: "Saisissez le mois et l’année comme sur la carte, par exemple 04\u00a0/\u00a029.",
  expiryPast: "Cette date est dépassée. Vérifiez-la ou utilisez une autre carte.",
  cvcIncomplete: "Saisissez le code de sécurité (3 ou 4 chiffres).",
  cvcThree: "Saisissez les 3 chiffres figurant au dos de votre carte.",
  cvcFour: "Saisissez les 4 chiffres figurant au recto de votre carte.",
  emptied: "Saisissez de nouveau le numéro de votre carte : pour votre sécurité, cette page ne le conserve pas.",
  emptiedToo: "À saisir de nouveau également.",
  testCards: "Cartes de test",
  testCardsNote: "Utilisez n’importe quelle date d’expiration future et n’importe quel code de sécurité.",
  toPayment: "Continuer vers le paiement",
  toCard: "Continuer et saisir votre carte",
  paidAt: "Le paiement s’effectue sur la page de {provider}.",
  savedAt: "Vous saisirez votre carte sur la page de {provider}. Aucun montant ne sera débité aujourd’hui.",
  enteredAt: "Vous saisirez votre carte sur la page de {provider}.",
  theProvider: "notre prestataire de paiement",
} as const satisfies Translation["card"];

export const refusedCode = {
  unknown_discount: "Ce code promo n’existe pas. Vérifiez l’orthographe.",
  discount_not_active: "Ce code promo n’est pas valable actuellement.",
  discount_exhausted: "Ce code promo a atteint son nombre maximal d’utilisations.",
  discount_not_for_product: "Ce code promo ne s’applique pas à ce produit.",
  discount_other_currency: "Ce code promo n’est valable que dans une autre devise.",
  discount_below_minimum: "Avec ce code promo, le montant serait trop faible pour être débité.",
} as const satisfies Translation["refusedCode"];

export const decline = {
  card_declined: "La carte a été refusée. Utilisez une autre carte ou contactez votre banque.",
  insufficient_funds: "Les fonds disponibles sur la carte sont insuffisants. Utilisez une autre carte.",
  card_expired: "La carte a expiré. Utilisez une autre carte.",
  processing_error: "La banque n’a pas pu traiter le paiement. Aucun montant n’a été débité. Veuillez réessayer.",
  authentication_failed:
    "Le paiement n’a pas été authentifié. Aucun montant n’a été débité. Réessayez ou utilisez une autre carte.",
  canceled: "Le paiement a été annulé. Aucun montant n’a été débité.",
  card_lost: OTHER_CARD,
  card_stolen: OTHER_CARD,
  card_gone: "La carte n’est plus enregistrée. Utilisez une autre carte.",
  account_closed: OTHER_CARD,
  do_not_retry: OTHER_CARD,
  card_disputed:
    "La banque a annulé un paiement antérieur effectué avec cette carte. La carte ne sera donc débitée que si vous " +
    "l’utilisez vous-même pour payer.",
  provider_refused: SELLER_UNABLE,
  amount_too_small: SELLER_UNABLE,
  amount_too_large: SELLER_UNABLE,
  currency_unsupported: SELLER_UNABLE,
  request_invalid: SELLER_UNABLE,
} as const satisfies Translation["decline"];

export const cardFault = {
  card_number_invalid: "Ce numéro de carte n’est pas valide. Vérifiez le numéro indiqué sur votre carte.",
  sandboxNumber:
    "Un environnement de test n’accepte que les cartes de test, par exemple 4242 4242 4242 4242. N’utilisez jamais " +
    "une vraie carte.",
  card_expired: "Ce mois est passé. Vérifiez la date indiquée sur votre carte ou utilisez une autre carte.",
  cvc_invalid: "Ce code de sécurité n’est pas valide. Vérifiez ses 3 ou 4 chiffres.",
} as const satisfies Translation["cardFault"];
