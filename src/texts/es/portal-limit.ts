import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "No disponible aquí",
  text: "Esta opción no está disponible en su cuenta. Póngase en contacto con {seller}.",
} as const satisfies Translation["portalLimit"];
