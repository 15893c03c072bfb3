import type { Translation } from "../translation.ts";

export const signIn = {
  title: "Anmelden",
  intro: `Hier sehen Sie Ihre Abonnements und Rechnungen. Wir senden Ihnen einen Link zur Anmeldung. Sie brauchen
    kein Passwort.`,
  send: "Link senden",
  sentTitle: "Prüfen Sie Ihren Posteingang",
  sent: `Wenn {seller} diese Adresse kennt, ist eine E-Mail mit einem Link unterwegs. Der Link ist {minutes, plural,
    one {# Minute} other {# Minuten}} lang gültig und kann nur einmal verwendet werden.`,
  missing: "Nach ein paar Minuten noch keine E-Mail? Sehen Sie im Spam-Ordner nach oder {another}.",
  another: "versuchen Sie eine andere Adresse",
  as: "Sie melden sich als {person} an.",
  signedInAs: "Sie sind als {person} angemeldet.",
  insteadAs: "Dieser Link meldet Sie stattdessen als {person} an.",
  stay: "Angemeldet bleiben",
  goneTitle: "Dieser Link ist nicht mehr gültig",
  gone: `Ein Link ist nur kurze Zeit gültig und kann nur einmal verwendet werden. Gehen Sie zurück und öffnen Sie
    Ihr Konto noch einmal, oder fordern Sie hier einen neuen Link an.`,
} as const satisfies Translation["signIn"];
