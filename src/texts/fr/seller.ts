import type { Translation } from "../translation.ts";

export const seller = {
  links: "À propos du vendeur",
  contact: "Contacter {seller}",
  terms: "Conditions générales",
  privacy: "Confidentialité",
  agree: "En confirmant, vous acceptez les {terms} du vendeur {seller}.",
  agreeBoth:
    "En confirmant, vous acceptez les {terms} du vendeur {seller} et reconnaissez avoir pris connaissance de sa " +
    "{privacy}.",
  startsAtOnce: "Votre accès commence dès la commande.",
  cancelAnytime:
    "Vous pouvez résilier à tout moment depuis votre compte. Votre accès prend alors fin avec la période en cours.",
  cancelBySeller: "Pour résilier, contactez {seller}.",
  agreeTerms: "conditions générales",
  agreePrivacy: "politique de confidentialité",
} as const satisfies Translation["seller"];
