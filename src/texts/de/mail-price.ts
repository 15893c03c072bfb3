import type { Translation } from "../translation.ts";

export const mailPrice = {
  subject: "Der Preis von {product} ändert sich am {day}",
  title: "Der Preis Ihres Abonnements ändert sich",
  notice: "Der Preis von {product} ändert sich am {day}. Bis dahin zahlen Sie den bisherigen Preis.",
  before: "Bis dahin",
  inUnits: "{price} ({units})",
  goesOn: "Sie müssen nichts tun, wenn Sie das Abonnement fortsetzen möchten.",
  consent: `Ihr Abonnement läuft zu diesem Preis nur weiter, wenn Sie zustimmen. Andernfalls endet es am {day}, und wir
    buchen nichts mehr ab.`,
  agree: "Neuen Preis ansehen",
  reminderSubject: "{product} endet am {day}, wenn Sie dem neuen Preis nicht zustimmen",
  reminderTitle: "Ihr Abonnement endet am {day}, wenn Sie dem neuen Preis nicht zustimmen",
  reminder: "Ab dem {day} gilt für {product} ein neuer Preis. Sie haben ihm noch nicht zugestimmt.",
  ended: `Ihr Abonnement für {product} endete am {day}, weil Sie dem neuen Preis nicht zugestimmt haben. Damit ist
    auch Ihr Zugang beendet.`,
} as const satisfies Translation["mailPrice"];
