import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "Non disponible ici",
  text: "Cette option n’est pas disponible dans votre compte. Veuillez contacter {seller}.",
} as const satisfies Translation["portalLimit"];
