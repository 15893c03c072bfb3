import type { Translation } from "../translation.ts";

export const portalPause = {
  title: "Reprendre {product} ?",
  charge:
    "Une nouvelle période commence maintenant et dure jusqu’au {day}. {amount} seront débités sur la carte {card}.",
  free: "Une nouvelle période commence maintenant et dure jusqu’au {day}. Rien ne vous sera débité.",
  back: "Votre accès sera rétabli dès que le paiement aura abouti.",
  noCard: "Une nouvelle période coûte {amount}, et aucune carte n’est enregistrée. Ajoutez d’abord une carte.",
  submit: "Reprendre et payer {amount}",
  submitFree: "Reprendre maintenant",
  keep: "Rester en pause",
  changed: "Le montant ou la carte a changé. Merci de vérifier à nouveau.",
  pauses: "En pause à partir du {day}.",
  pausesUntil: "En pause à partir du {day}, jusqu’au {until}.",
  pausedUntil: "En pause jusqu’au {until}. Rien ne vous sera débité d’ici là.",
  pausedOpen: "En pause. Rien ne vous sera débité tant que vous ne reprendrez pas l’abonnement.",
  undo: "Annuler la pause",
  resume: "Reprendre l’abonnement",
  cancelToo: "Cela annule aussi la pause prévue.",
} as const satisfies Translation["portalPause"];
