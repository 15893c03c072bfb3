import type { Translation } from "../translation.ts";

const SELLER_UNABLE =
  "Der Anbieter kann gerade keine Zahlungen annehmen. Es wurde nichts abgebucht. Versuchen Sie es später noch einmal.";
const OTHER_CARD = "Die Karte wurde abgelehnt. Verwenden Sie bitte eine andere Karte.";

export const card = {
  legend: "Karte",
  number: "Kartennummer",
  expiry: "Gültig bis",
  expiryForm: "MM / JJ",
  cvc: "Prüfnummer",
  cvcForm: "CVC",
  numberMissing: "Geben Sie Ihre Kartennummer ein.",
  numberIncomplete: "Geben Sie die vollständige Kartennummer ein (12 bis 19 Ziffern).",
  numberWrong: "Diese Kartennummer ist ungültig. Prüfen Sie die Ziffern.",
  expiryIncomplete: "Geben Sie Monat und Jahr wie auf der Karte ein, zum Beispiel 04\u00a0/\u00a029.",
  expiryPast: "Dieses Datum liegt in der Vergangenheit. Prüfen Sie es oder verwenden Sie eine andere Karte.",
  cvcIncomplete: "Geben Sie die Prüfnummer ein (3 oder 4 Ziffern).",
  cvcThree: "Geben Sie die 3 Ziffern von der Rückseite Ihrer Karte ein.",
  cvcFour: "Geben Sie die 4 Ziffern von der Vorderseite Ihrer Karte ein.",
  emptied: "Geben Sie die Kartennummer noch einmal ein. Zu Ihrer Sicherheit bleibt sie nicht im Formular stehen.",
  emptiedToo: "Bitte ebenfalls noch einmal eingeben.",
  testCards: "Testkarten",
  testCardsNote: "Verwenden Sie ein beliebiges Datum in der Zukunft und eine beliebige Prüfnummer.",
  toPayment: "Weiter zur Zahlung",
  toCard: "Weiter zu den Kartendaten",
  paidAt: "Sie bezahlen bei {provider}.",
  savedAt: "Ihre Kartendaten geben Sie bei {provider} ein. Heute wird nichts abgebucht.",
  enteredAt: "Ihre Kartendaten geben Sie bei {provider} ein.",
  theProvider: "unserem Zahlungsdienstleister",
} as const satisfies Translation["card"];

export const refusedCode = {
  unknown_discount: "Diesen Rabattcode gibt es nicht. Prüfen Sie die Schreibweise.",
  discount_not_active: "Dieser Rabattcode gilt derzeit nicht.",
  discount_exhausted: "Dieser Rabattcode kann nicht mehr eingelöst werden.",
  discount_not_for_product: "Dieser Rabattcode gilt nicht für dieses Produkt.",
  discount_other_currency: "Dieser Rabattcode gilt für eine andere Währung.",
  discount_below_minimum: "Mit diesem Rabattcode wäre der Betrag zu klein, um abgebucht zu werden.",
} as const satisfies Translation["refusedCode"];

export const decline = {
  card_declined: "Die Karte wurde abgelehnt. Verwenden Sie eine andere Karte oder wenden Sie sich an Ihre Bank.",
  insufficient_funds: "Die Karte ist nicht ausreichend gedeckt. Verwenden Sie bitte eine andere Karte.",
  card_expired: "Die Karte ist abgelaufen. Verwenden Sie bitte eine andere Karte.",
  processing_error:
    "Die Bank konnte die Zahlung gerade nicht verarbeiten. Es wurde nichts abgebucht. Versuchen Sie es noch einmal.",
  authentication_failed:
    "Die Zahlung wurde nicht bestätigt. Es wurde nichts abgebucht. Versuchen Sie es noch einmal oder verwenden Sie " +
    "eine andere Karte.",
  canceled: "Die Zahlung wurde abgebrochen. Es wurde nichts abgebucht.",
  card_lost: OTHER_CARD,
  card_stolen: OTHER_CARD,
  card_gone: "Die Karte ist nicht mehr hinterlegt. Verwenden Sie bitte eine andere Karte.",
  account_closed: OTHER_CARD,
  do_not_retry: OTHER_CARD,
  card_disputed:
    "Die Bank hat eine frühere Zahlung mit dieser Karte zurückgebucht. Die Karte wird deshalb nur noch belastet, " +
    "wenn Sie selbst damit bezahlen.",
  provider_refused: SELLER_UNABLE,
  amount_too_small: SELLER_UNABLE,
  amount_too_large: SELLER_UNABLE,
  currency_unsupported: SELLER_UNABLE,
  request_invalid: SELLER_UNABLE,
} as const satisfies Translation["decline"];

export const cardFault = {
  card_number_invalid: "Diese Kartennummer ist ungültig. Prüfen Sie die Nummer auf Ihrer Karte.",
  sandboxNumber: `Eine Testumgebung nimmt nur Testkarten an, zum Beispiel 4242 4242 4242 4242. Geben Sie hier
    niemals echte Kartendaten ein.`,
  card_expired: "Dieses Datum liegt in der Vergangenheit. Prüfen Sie es oder verwenden Sie eine andere Karte.",
  cvc_invalid: "Diese Prüfnummer ist ungültig. Prüfen Sie die 3 oder 4 Ziffern.",
} as const satisfies Translation["cardFault"];
