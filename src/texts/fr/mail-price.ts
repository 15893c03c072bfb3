import type { Translation } from "../translation.ts";

export const mailPrice = {
  subject: "Le prix de {product} change le {day}",
  title: "Le prix de votre abonnement change",
  notice: "Le prix de {product} change le {day}. D’ici là, vous payez le prix actuel.",
  before: "Jusque-là",
  inUnits: "{price} ({units})",
  goesOn: "Vous n’avez rien à faire pour continuer.",
  consent: `Votre abonnement ne se poursuit à ce prix que si vous l’acceptez. Sinon, il prend fin le {day} et rien ne
    vous sera plus débité.`,
  agree: "Voir le nouveau prix",
  reminderSubject: "{product} : sans votre accord sur le nouveau prix, fin le {day}",
  reminderTitle: "Sans votre accord sur le nouveau prix, votre abonnement prend fin le {day}",
  reminder: "À partir du {day}, {product} a un nouveau prix, et vous ne l’avez pas encore accepté.",
  ended:
    "Votre abonnement à {product} et votre accès ont pris fin le {day}, car vous n’avez pas accepté le nouveau prix.",
} as const satisfies Translation["mailPrice"];
