import type { Translation } from "../translation.ts";

export const outcome = {
  thanks: "Vielen Dank",
  changed: "Ihr Abonnement wurde geändert.",
  complete: "Ihre Bestellung ist abgeschlossen.",
  takenBack: "Sie werden weitergeleitet.",
  trialBegan: "Ihr Probezeitraum hat begonnen.",
  changedTo: "Ihr neuer Tarif ist {product}.",
  changesOn: "Am {day} wechselt Ihr Abonnement zu {product}.",
  received: "Ihre Zahlung ist eingegangen.",
  alreadyPaid: "Bereits bezahlt",
  alreadyDone: "Bereits erledigt",
  noAction: "Sie müssen hier nichts weiter tun.",
  newPlan: "Neuer Tarif",
  purchase: "Ihr Kauf",
  paid: "Bezahlt",
  hostedPay: "Bezahlen Sie {amount} bei {provider}. Danach kehren Sie hierher zurück.",
  hostedSave: "Geben Sie Ihre Kartendaten bei {provider} ein. Danach kehren Sie hierher zurück.",
  cardAwaited: "Geben Sie Ihre Kartendaten ein, um fortzufahren",
  paymentAwaited: "Schließen Sie Ihre Zahlung ab",
  cancel: "Abbrechen",
  otherWay: "Andere Zahlungsart wählen",
  otherCard: "Mit einer anderen Karte bezahlen",
  preparing: "Die Seite für Ihre Kartendaten wird vorbereitet. Es wurde nichts abgebucht.",
  confirmTitle: "Bestätigen Sie die Zahlung bei Ihrer Bank",
  confirmCardTitle: "Bestätigen Sie Ihre Karte bei Ihrer Bank",
  confirmPay: "Bestätigen Sie dort die Zahlung von {amount}. Danach kehren Sie hierher zurück.",
  confirmCard: "Bestätigen Sie dort die Verwendung Ihrer Karte. Danach kehren Sie hierher zurück.",
  toBank: "Weiter zu Ihrer Bank",
  processingPay: "Die Zahlung von {amount} wird verarbeitet. Das kann einen Moment dauern.",
  processingCard: "Ihre Karte wird geprüft. Das kann einen Moment dauern.",
  waiting: "Wir warten auf Ihre Bank.",
  mayClose: "Sie können diese Seite schließen. Es wird nichts doppelt abgebucht.",
  expiredTitle: "Diese Seite ist abgelaufen",
  expired: `Diese Seite war nur für begrenzte Zeit gültig. Es wurde nichts abgebucht. Kehren Sie zu {seller} zurück und
    beginnen Sie von vorn.`,
} as const satisfies Translation["outcome"];

export const obstacle = {
  product_archivedTitle: "Nicht mehr erhältlich",
  product_archived: "Dieses Produkt wird nicht mehr angeboten. Es wurde nichts abgebucht.",
  too_many_attemptsTitle: "Zu viele fehlgeschlagene Versuche",
  too_many_attempts: `Weitere Versuche sind nicht möglich. Es wurde nichts abgebucht. Wurde Ihre Karte abgelehnt,
    wenden Sie sich an Ihre Bank. Gehen Sie dann zurück und beginnen Sie von vorn.`,
  no_providerTitle: "Zahlungen sind noch nicht eingerichtet",
  no_provider:
    "Der Anbieter kann zurzeit keine Zahlungen annehmen. Es wurde nichts abgebucht. Bitte informieren Sie " +
    "den Anbieter.",
  payments_pausedTitle: "Zahlungen sind vorübergehend nicht möglich",
  payments_paused:
    "Der Anbieter kann gerade keine Zahlungen annehmen. Es wurde nichts abgebucht. Lassen Sie diese Seite geöffnet " +
    "oder kommen Sie später wieder.",
  already_subscribedTitle: "Sie haben bereits einen Tarif",
  already_subscribed:
    "Es wurde nichts abgebucht. Wechseln Sie Ihren bestehenden Tarif, statt einen weiteren zu buchen.",
  payFirstTitle: "Eine Zahlung ist noch offen",
  payFirst: "Es wurde nichts abgebucht. Bezahlen Sie zuerst den offenen Betrag und laden Sie diese Seite dann neu.",
  subscription_canceledTitle: "Ihr Abonnement ist beendet",
  subscription_canceled: "Es kann nicht mehr geändert werden. Es wurde nichts abgebucht.",
  subscription_cancellation_scheduledTitle: "Ihr Abonnement ist gekündigt",
  subscription_cancellation_scheduled:
    "Es wurde nichts abgebucht. Nehmen Sie zuerst die Kündigung zurück und laden Sie diese Seite dann neu.",
  refund_in_progressTitle: "Eine Erstattung läuft",
  refund_in_progress:
    "Es wurde nichts abgebucht. Warten Sie, bis die Erstattung abgeschlossen ist, und laden Sie diese Seite dann neu.",
  payment_disputedTitle: "Eine Zahlung wurde beanstandet",
  payment_disputed:
    "Es wurde nichts abgebucht. Ihre Bank hat über eine frühere Zahlung für dieses Abonnement noch nicht entschieden.",
  change_in_progressTitle: "Eine andere Änderung läuft noch",
  change_in_progress:
    "Hier wurde nichts abgebucht. Warten Sie, bis die andere Änderung abgeschlossen ist, und laden Sie diese Seite " +
    "dann neu.",
  unfinishedTitle: "Ihre frühere Bestellung ist noch nicht abgeschlossen",
  unfinished:
    "Hier wurde nichts abgebucht. Setzen Sie die frühere Bestellung fort oder verwenden Sie dafür eine andere Karte.",
  impossibleTitle: "Diese Änderung ist zurzeit nicht möglich",
  impossible:
    "Es wurde nichts abgebucht, und Ihr Abonnement ist unverändert. Gehen Sie zurück und beginnen Sie von vorn.",
  otherPlanTitle: "Sie haben bereits einen Tarif dieser Art",
  otherPlan: "Es wurde nichts abgebucht. Ändern Sie stattdessen Ihren bestehenden Tarif.",
  noChangeTitle: "Keine Änderung nötig",
  noChange: "Ihr Tarif ist bereits {product}. Es wurde nichts abgebucht.",
} as const satisfies Translation["obstacle"];
