import type { Translation } from "../translation.ts";

export const invoicePage = {
  resultAwaited: "Das Ergebnis Ihrer Zahlung bei {provider} steht noch aus. Es wird nichts doppelt abgebucht.",
  notCompleted: "Die Zahlung vom {day} bei {provider} wurde nicht abgeschlossen. Ihre Karte wurde nicht belastet.",
  confirm: "Ihre Bank bittet Sie, die Zahlung von {amount} mit {card} zu bestätigen.",
  earlierFirst: "Zuerst wird eine ältere Rechnung abgebucht, danach diese.",
  processing: "Die Zahlung von {amount} mit {card} wird verarbeitet. Es wird nichts doppelt abgebucht.",
  charging: `{amount} werden gerade von {card} abgebucht. Sie können diese Seite schließen. Es wird nichts
    doppelt abgebucht.`,
  yourCard: "Ihrer Karte",
  failed: "{amount} konnten am {day} nicht von {card} abgebucht werden.",
  notCharged: "{amount} wurden am {day} nicht von {card} abgebucht.",
  retry: "Wenn Sie nicht vorher bezahlen, versuchen wir die Abbuchung von {card} am {day} erneut.",
  restart: `Ihr letzter Abrechnungszeitraum ist abgelaufen. Sie bezahlen die offenen {owed} sowie {amount} für
    {product} bis zum {day}.`,
  noProvider: "Der Anbieter kann zurzeit keine Zahlungen annehmen. Bitte informieren Sie den Anbieter.",
  tooManyCards: `Es wurden zu viele Karten abgelehnt. Auf dieser Seite können Sie keine weitere Karte verwenden.
    Wenden Sie sich an Ihre Bank und danach an den Anbieter.`,
  settled: "Vielen Dank. Alles ist bezahlt, und Sie haben Zugang zu {product}.",
  payWithCard: "Mit Karte bezahlen",
  payWithOther: "Oder mit einer anderen Karte bezahlen",
  pay: "{amount} bezahlen",
  busy: "Einen Moment, bitte: Ihre Zahlung wird ausgeführt.",
  processingTitle: "Ihre Zahlung wird bearbeitet",
  consent: `Mit der Zahlung erlauben Sie {seller}, diese Karte auch für alle anderen offenen Beträge und für
    spätere Zahlungen zu belasten, bis Sie kündigen.`,
  consentHosted: `Mit der Zahlung erlauben Sie {seller}, die verwendete Karte auch für alle anderen offenen Beträge
    und für spätere Zahlungen zu belasten, bis Sie kündigen.`,
} as const satisfies Translation["invoicePage"];
