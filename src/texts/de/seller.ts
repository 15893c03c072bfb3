import type { Translation } from "../translation.ts";

export const seller = {
  links: "Über den Anbieter",
  contact: "{seller} kontaktieren",
  terms: "AGB",
  privacy: "Datenschutz",
  agree: "Mit Ihrer Bestätigung akzeptieren Sie die {terms} von {seller}.",
  agreeBoth: "Mit Ihrer Bestätigung akzeptieren Sie die {terms} von {seller}. Beachten Sie bitte auch die {privacy}.",
  startsAtOnce: "Ihr Zugang beginnt direkt nach der Bestellung.",
  cancelAnytime: `Sie können jederzeit in Ihrem Konto kündigen. Ihr Zugang endet dann zum Ende des laufenden
    Abrechnungszeitraums.`,
  cancelBySeller: "Zum Kündigen wenden Sie sich an {seller}.",
  agreeTerms: "AGB",
  agreePrivacy: "Datenschutzerklärung",
} as const satisfies Translation["seller"];
