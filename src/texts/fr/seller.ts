import type { Translation } from "../translation.ts";

export const seller = {
  links: "À propos du vendeur",
  contact: "Contacter {seller}",
  terms: "Conditions générales",
  privacy: "Confidentialité",
  agree: "En confirmant, vous acceptez les {terms} de {seller}.",
  agreeBoth: "En confirmant, vous acceptez les {terms} et la {privacy} de {seller}.",
  startsAtOnce: "Votre accès commence dès la commande.",
  cancelAnytime:
    "Vous pouvez résilier à tout moment depuis votre compte. Votre accès prend alors fin avec la période en cours.",
  cancelBySeller: "Pour résilier, contactez {seller}.",
  agreeTerms: "conditions générales",
  agreePrivacy: "politique de confidentialité",
} as const satisfies Translation["seller"];
