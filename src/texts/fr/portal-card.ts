import type { Translation } from "../translation.ts";

export const portalCard = {
  title: "Utiliser une autre carte",
  account: "La carte sera enregistrée pour {person}.",
  noteOwed:
    "Le montant dû de {amount} sera débité immédiatement sur cette carte, qui servira aussi aux prochains paiements.",
  noteLater: "Aucun montant ne sera débité maintenant. Les prochains paiements seront effectués avec cette carte.",
  noteUnused: "Aucun montant ne sera débité maintenant et aucun paiement n’est prévu.",
  save: "Enregistrer la carte",
  saving: "Un instant : votre carte est en cours d’enregistrement.",
  consent: `En enregistrant la carte, vous autorisez {seller} à la débiter pour les montants dus et pour les paiements
    suivants, jusqu’à résiliation.`,
  impossibleTitle: "Impossible pour le moment",
  no_provider: "Le vendeur ne peut pas accepter de carte pour le moment. Veuillez en informer le vendeur.",
  payments_paused: "Le vendeur ne peut pas accepter de carte pour le moment. Réessayez dans quelques minutes.",
  waiting: "Votre carte est en cours d’enregistrement. Aucun montant n’est débité.",
  waitingOwed: "Votre carte est en cours d’enregistrement. Le montant dû de {amount} sera ensuite débité.",
  hosted: "Saisissez votre carte sur la page suivante. Vous reviendrez ensuite sur cette page.",
  confirm:
    "Votre banque vous demande de confirmer l’utilisation de votre carte. Vous reviendrez ensuite sur cette page.",
  failedTitle: "Votre carte n’a pas été enregistrée",
  otherWaits: "Une autre carte est en cours d’enregistrement. Réessayez dans une minute.",
  tooManyTitle: "Trop de tentatives",
  tooMany: "Trop de cartes ont été refusées. Contactez votre banque et réessayez demain.",
  forPlans: "Utiliser cette carte pour",
  forAll: "Tous les abonnements",
  forOne: "Seulement {product}, {price}",
  paysFor: "Cette carte servira à payer {product}, {price}.",
  unclaimed: `{product} a été acheté avec votre adresse e-mail. Si vous enregistrez une carte pour cet abonnement,
    vous acceptez de le payer.`,
  changedTitle: "Vos abonnements ont changé",
  changed: "Vérifiez pour quels abonnements cette carte sera utilisée, puis saisissez de nouveau votre carte.",
} as const satisfies Translation["portalCard"];
