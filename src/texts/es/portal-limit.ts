import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "No disponible aquí",
  text: "{seller} no ofrece esta opción en su cuenta. Póngase en contacto con {seller}.",
} as const satisfies Translation["portalLimit"];
