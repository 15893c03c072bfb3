import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "Hier nicht möglich",
  text: "{seller} bietet das in Ihrem Konto nicht an. Bitte wenden Sie sich an {seller}.",
} as const satisfies Translation["portalLimit"];
