import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "Hier nicht möglich",
  text: "Das ist in Ihrem Konto nicht möglich. Bitte wenden Sie sich an {seller}.",
} as const satisfies Translation["portalLimit"];
