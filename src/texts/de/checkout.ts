import type { Translation } from "../translation.ts";

export const checkout = {
  payment: "Zahlung",
  changeTo: "Wechsel zu {product}",
  presentPlan: "Ihr bisheriger Tarif: {product}",
  dueToday: "Heute fällig",
  dueTodaySaid: "Heute fällig: {amount}",
  usableUntil: "Diese Seite ist bis zum {day} gültig.",
  details: "Ihre Angaben",
  email: "E-Mail-Adresse",
  name: "Name",
  country: "Land",
  chooseCountry: "Land auswählen",
  taxId: "USt-IdNr.",
  taxIdNote: "für Unternehmen, optional",
  updateTotal: "Gesamtbetrag aktualisieren",
  haveCode: "Rabattcode",
  apply: "Einlösen",
  applyCode: "Rabattcode einlösen",
  remove: "Entfernen",
  removeCode: "Rabattcode {code} entfernen",
  withCard: "Mit Karte, bei {provider}. Heute wird nichts abgebucht.",
  withoutCard: `{days, plural, one {Ohne Karte endet Ihr Probezeitraum nach # Tag, und es wird nichts abgebucht.}
    other {Ohne Karte endet Ihr Probezeitraum nach # Tagen, und es wird nichts abgebucht.}}`,
  pay: "Für {amount} zahlungspflichtig bestellen",
  payAndChange: "Für {amount} zahlungspflichtig wechseln",
  saveAndChange: "Zahlungspflichtig wechseln",
  changeNow: "Jetzt wechseln",
  payFromBalance: "Zahlungspflichtig bestellen",
  getFree: "Kostenlos bestellen",
  saveAndSubscribe: "Zahlungspflichtig bestellen",
  startTrial: "Zahlungspflichtig bestellen",
  startOpenTrial: "Zahlungspflichtig bestellen",
  payHosted: "Zahlungspflichtig bestellen",
  saveHosted: "Zahlungspflichtig bestellen",
  busyHosted: "Einen Moment, bitte: Sie werden zur Zahlungsseite weitergeleitet.",
  busy: "Einen Moment, bitte: Ihre Bestellung wird ausgeführt.",
  updateFailed: "Der Gesamtbetrag konnte nicht aktualisiert werden. Versuchen Sie es in einer Minute noch einmal.",
  unsent:
    "Ihre Bestellung konnte nicht gesendet werden. Es wurde nichts abgebucht. Versuchen Sie es in einer Minute " +
    "noch einmal.",
} as const satisfies Translation["checkout"];

export const fault = {
  emailMissing: "Geben Sie Ihre E-Mail-Adresse ein.",
  emailWrong: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
  nameCard: "Das sieht nach einer Kartennummer aus. Geben Sie Ihren Namen ein oder lassen Sie das Feld leer.",
  nameLong: "Geben Sie einen Namen mit höchstens 256 Zeichen ein.",
  countryMissing: "Wählen Sie Ihr Land aus.",
  regionMissing: "Geben Sie Ihr Bundesland oder Ihre Region ein.",
  taxIdLong: "Geben Sie eine USt-IdNr. mit höchstens 64 Zeichen ein.",
  taxIdWrong: "Diese USt-IdNr. ist ungültig. Geben Sie sie in der Form {example} ein oder lassen Sie das Feld leer.",
  taxIdCard: "Das sieht nach einer Kartennummer aus. Geben Sie Ihre USt-IdNr. ein oder lassen Sie das Feld leer.",
  codeMissing: "Geben Sie den Rabattcode ein.",
  codeGuesses: "Es wurden zu viele Codes ausprobiert. Warten Sie eine Minute und versuchen Sie es dann erneut.",
  codeUnknown: "Diesen Rabattcode gibt es nicht. Prüfen Sie die Schreibweise.",
  codeApplied: "Der Rabattcode wurde angewendet.",
  codeUsedUp: "Der Rabattcode {code} kann nicht mehr eingelöst werden.",
  alreadySubscribed: "Mit dieser E-Mail-Adresse haben Sie bereits einen Tarif. Es wurde nichts abgebucht.",
  paymentFailed: "Zahlung fehlgeschlagen",
  cardUnsaved: "Ihre Karte konnte nicht gespeichert werden",
  cardUnconfirmed:
    "Die Karte wurde bei Ihrer Bank nicht bestätigt. Es wurde nichts abgebucht. Versuchen Sie es erneut oder " +
    "verwenden Sie eine andere Karte.",
  paymentCanceled: "Zahlung abgebrochen",
  amountTitle: "Bitte prüfen Sie den Betrag noch einmal",
  amountCard: `Heute sind {amount} fällig. Es wurde nichts abgebucht. Wenn Sie einverstanden sind, geben Sie Ihre
    Kartendaten noch einmal ein und bestätigen Sie.`,
  amount: "Heute sind {amount} fällig. Es wurde nichts abgebucht. Wenn Sie einverstanden sind, bestätigen Sie bitte.",
  trialUsed: `{days, plural,
    one {Den kostenlosen Probezeitraum von # Tag haben Sie mit dieser E-Mail-Adresse bereits genutzt.}
    other {Den kostenlosen Probezeitraum von # Tagen haben Sie mit dieser E-Mail-Adresse bereits genutzt.}}`,
} as const satisfies Translation["fault"];
