import type { Translation } from "../translation.ts";

export const portalPause = {
  title: "Reprendre {product} ?",
  charge: `Une nouvelle période commence maintenant et dure jusqu’au {day}. {amount} seront débités sur la carte
    {card}.`,
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
  pause: "Mettre en pause",
  pauseTitle: "Mettre {product} en pause ?",
  pauseText: `La pause commence le {day}. Rien ne vous sera débité pendant la pause, et votre abonnement reprendra
    ensuite automatiquement.`,
  off: "Pendant la pause, vous n’aurez pas d’accès.",
  on: "Vous conservez votre accès.",
  howLong: "Pendant combien de temps ?",
  months: "{count, plural, one {# mois} other {# mois}}",
  choice: "{months}, jusqu’au {day}",
  pauseSubmit: "Mettre en pause le {day}",
  instead: "Mettre plutôt en pause",
  notNow: "Une pause n’est pas possible pour le moment.",
} as const satisfies Translation["portalPause"];
