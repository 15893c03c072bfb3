import type { Translation } from "../translation.ts";

export const seller = {
  links: "Sobre el vendedor",
  contact: "Contactar con {seller}",
  terms: "Condiciones",
  privacy: "Privacidad",
  agree: "Al confirmar, acepta las {terms} de {seller}.",
  agreeBoth: "Al confirmar, acepta las {terms} y la {privacy} de {seller}.",
  startsAtOnce: "Su acceso comienza inmediatamente después del pedido.",
  cancelAnytime: `Puede cancelar en cualquier momento desde su cuenta. En ese caso, su acceso terminará al final del
    periodo en curso.`,
  cancelBySeller: "Para cancelar, póngase en contacto con {seller}.",
  agreeTerms: "condiciones generales",
  agreePrivacy: "política de privacidad",
} as const satisfies Translation["seller"];
