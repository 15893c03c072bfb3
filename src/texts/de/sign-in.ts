import type { Translation } from "../translation.ts";

export const signIn = {
  title: "Anmelden",
  intro: "Hier sehen Sie Ihre Abonnements und Rechnungen. Sie erhalten einen Link und brauchen kein Passwort.",
  send: "Link senden",
  sentTitle: "Sehen Sie in Ihr Postfach",
  sent: `Wenn {seller} diese Adresse kennt, ist eine Nachricht mit einem Link unterwegs. Der Link gilt einmal, {minutes,
    plural, one {# Minute} other {# Minuten}} lang.`,
  missing: "Nach ein paar Minuten noch keine Nachricht? Sehen Sie im Spam-Ordner nach oder {another}.",
  another: "versuchen Sie eine andere Adresse",
  as: "Sie melden sich als {person} an.",
  signedInAs: "Sie sind als {person} angemeldet.",
  insteadAs: "Dieser Link meldet Sie stattdessen als {person} an.",
  stay: "Angemeldet bleiben",
  goneTitle: "Dieser Link gilt nicht mehr",
  gone: `Ein Link gilt nur einmal und nur kurze Zeit. Gehen Sie zurück und öffnen Sie Ihr Konto noch einmal, oder
    fordern Sie hier einen neuen Link an.`,
} as const satisfies Translation["signIn"];
