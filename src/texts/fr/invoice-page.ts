import type { Translation } from "../translation.ts";

export const invoicePage = {
  resultAwaited: `Le résultat de votre paiement sur la page de {provider} n’est pas encore connu. Vous ne paierez pas
    deux fois.`,
  notCompleted: `Le paiement du {day} sur la page de {provider} n’a pas été finalisé. Votre carte n’a pas été
    débitée.`,
  confirm: "Votre banque vous demande de confirmer le paiement de {amount} avec {card}.",
  earlierFirst: "Une facture antérieure est débitée en premier. Celle-ci suivra.",
  processing: "Le paiement de {amount} avec {card} est en cours de traitement. Vous ne paierez pas deux fois.",
  charging:
    "Le paiement de {amount} avec {card} est en cours. Vous pouvez fermer cette page : vous ne paierez pas deux " +
    "fois.",
  yourCard: "votre carte",
  failed: "Le paiement de {amount} avec {card} a échoué le {day}.",
  notCharged: "Le montant de {amount} n’a pas été débité le {day} sur {card}.",
  retry: "Sans règlement de votre part, un nouveau paiement avec la carte {card} sera tenté le {day}.",
  restart:
    "Votre dernière période est terminée. Vous payez le montant dû de {owed}, ainsi que {amount} pour {product} " +
    "jusqu’au {day}.",
  noProvider: "Le vendeur ne peut pas accepter de paiement pour le moment. Veuillez en informer le vendeur.",
  tooManyCards: `Trop de cartes ont été refusées. Cette page n’en accepte plus. Contactez votre banque, puis le
    vendeur.`,
  settled: "Merci. Tous les montants dus sont réglés et vous avez accès à {product}.",
  payWithCard: "Payer par carte",
  payWithOther: "Ou payer avec une autre carte",
  pay: "Payer {amount}",
  busy: "Un instant : votre paiement est en cours.",
  processingTitle: "Votre paiement est en cours de traitement",
  consent: `En payant, vous autorisez {seller} à débiter cette carte pour tous les autres montants dus ainsi
    que pour les paiements ultérieurs, jusqu’à résiliation.`,
  consentHosted: `En payant, vous autorisez {seller} à débiter la carte utilisée pour tous les autres montants dus
    ainsi que pour les paiements ultérieurs, jusqu’à résiliation.`,
} as const satisfies Translation["invoicePage"];
