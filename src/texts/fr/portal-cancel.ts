import type { Translation } from "../translation.ts";

export const portalCancel = {
  title: "Résilier votre abonnement à {product} ?",
  until: "Vous gardez {product} jusqu’au {day}. Aucun autre montant ne sera débité.",
  untilLast:
    "Vous gardez {product} jusqu’au {day}. Un dernier paiement de {amount}, dû pour un changement antérieur, " +
    "sera débité ce jour-là.",
  untilOwed:
    "Vous gardez {product} jusqu’au {day}, à condition de régler le montant dû de {amount}. Aucun autre paiement " +
    "ne suivra.",
  trial: "Votre essai gratuit {product} se poursuit jusqu’au {day}. Aucun montant ne sera débité.",
  suspended: "Votre abonnement à {product} prend fin le {day}. Aucune autre période ne sera facturée.",
  now: `{product} prend fin immédiatement. Vos factures impayées seront annulées et vous ne pourrez pas revenir en
    arrière.`,
  lose: "Vous perdrez alors :",
  undo: "Vous pouvez annuler la résiliation avant cette date.",
  why: "Pourquoi résiliez-vous ?",
  too_expensive: "C’est trop cher",
  missing_features: "Il me manque une fonctionnalité",
  switched_service: "J’utilise autre chose désormais",
  unused: "Je ne l’utilise pas assez",
  customer_service: "Le service client ne m’a pas convenu",
  low_quality: "Cela ne fonctionne pas assez bien",
  too_complex: "C’est trop compliqué",
  other: "Autre raison",
  submit: "Résilier au {day}",
  submitNow: "Résilier maintenant",
  keep: "Garder {product}",
  busyTitle: "Impossible pour le moment",
  busy: `Une autre opération est en cours sur cet abonnement. Votre abonnement n’a pas été modifié. Réessayez dans
    quelques minutes.`,
} as const satisfies Translation["portalCancel"];
