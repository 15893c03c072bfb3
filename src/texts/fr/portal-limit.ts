import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "Non disponible ici",
  text: "{seller} ne propose pas cette option dans votre compte. Veuillez contacter {seller}.",
} as const satisfies Translation["portalLimit"];
