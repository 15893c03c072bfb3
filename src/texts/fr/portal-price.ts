import type { Translation } from "../translation.ts";

export const portalPrice = {
  title: "Nouveau prix de {product}",
  before: "Jusque-là",
  asked: `Votre abonnement ne se poursuit à ce prix que si vous l’acceptez. Sinon, il prend fin le {day} et rien ne vous
    sera plus débité.`,
  agree: "Accepter le nouveau prix",
  keep: "Pas maintenant",
  missing: "{product} prend fin le {day} si vous n’acceptez pas le nouveau prix",
  missingText: "Le nouveau prix est de {price}.",
  see: "Voir le nouveau prix",
  ends: "Prend fin le {day} si vous n’acceptez pas le nouveau prix.",
  agreedOn: "Vous avez accepté le nouveau prix le {day}.",
  changed: "Le prix a changé. Veuillez le vérifier à nouveau.",
} as const satisfies Translation["portalPrice"];
