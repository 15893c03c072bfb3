import type { Translation } from "../translation.ts";

export const portalPrice = {
  title: "Neuer Preis von {product}",
  before: "Bis dahin",
  asked: `Ihr Abonnement läuft zu diesem Preis nur weiter, wenn Sie zustimmen. Andernfalls endet es am {day}, und wir
    buchen nichts mehr ab.`,
  agree: "Dem neuen Preis zustimmen",
  keep: "Nicht jetzt",
  missing: "{product} endet am {day}, wenn Sie dem neuen Preis nicht zustimmen",
  missingText: "Der neue Preis beträgt {price}.",
  see: "Neuen Preis ansehen",
  ends: "Endet am {day}, wenn Sie dem neuen Preis nicht zustimmen.",
  agreedOn: "Sie haben dem neuen Preis am {day} zugestimmt.",
  changed: "Der Preis hat sich geändert. Bitte prüfen Sie ihn noch einmal.",
} as const satisfies Translation["portalPrice"];
