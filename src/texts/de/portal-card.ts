import type { Translation } from "../translation.ts";

export const portalCard = {
  title: "Andere Karte verwenden",
  account: "Die Karte wird für {person} gespeichert.",
  noteOwed: "Die offenen {amount} werden sofort von dieser Karte abgebucht, spätere Zahlungen ebenfalls.",
  noteLater: "Jetzt wird nichts abgebucht. Spätere Zahlungen werden von dieser Karte abgebucht.",
  noteUnused: "Jetzt wird nichts abgebucht, und es ist auch keine Abbuchung geplant.",
  save: "Karte speichern",
  saving: "Einen Moment, bitte: Ihre Karte wird gespeichert.",
  consent: `Mit dem Speichern erlauben Sie {seller}, offene Beträge und spätere Zahlungen von dieser Karte abzubuchen,
    bis Sie kündigen.`,
  impossibleTitle: "Gerade nicht möglich",
  no_provider: "Der Anbieter kann zurzeit keine Karten annehmen. Bitte informieren Sie den Anbieter.",
  payments_paused: "Der Anbieter kann gerade keine Karten annehmen. Versuchen Sie es in ein paar Minuten noch einmal.",
  waiting: "Ihre Karte wird gespeichert. Es wird nichts abgebucht.",
  waitingOwed: "Ihre Karte wird gespeichert. Danach werden die offenen {amount} abgebucht.",
  hosted: "Geben Sie Ihre Kartendaten auf der nächsten Seite ein. Danach kehren Sie hierher zurück.",
  confirm: "Ihre Bank bittet Sie, die Verwendung Ihrer Karte zu bestätigen. Danach kehren Sie hierher zurück.",
  failedTitle: "Ihre Karte wurde nicht gespeichert",
  otherWaits: "Gerade wird eine andere Karte gespeichert. Versuchen Sie es in einer Minute noch einmal.",
  tooManyTitle: "Zu viele Versuche",
  tooMany: "Es wurden zu viele Karten abgelehnt. Wenden Sie sich an Ihre Bank und versuchen Sie es morgen noch einmal.",
} as const satisfies Translation["portalCard"];
