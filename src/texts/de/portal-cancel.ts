import type { Translation } from "../translation.ts";

export const portalCancel = {
  title: "{product} kündigen?",
  until: "Sie behalten {product} bis zum {day}. Es wird nichts mehr abgebucht.",
  untilLast: `Sie behalten {product} bis zum {day}. An diesem Tag werden für eine frühere Änderung ein letztes Mal
    {amount} abgebucht.`,
  untilOwed: `Sie behalten {product} bis zum {day}, wenn Sie die offenen {amount} bezahlen. Weitere Zahlungen folgen
    nicht.`,
  trial: "Ihr kostenloser Probezeitraum für {product} läuft bis zum {day} weiter. Es wird nichts abgebucht.",
  suspended: "Ihr Abonnement für {product} endet am {day}. Für weitere Zeiträume wird nichts abgebucht.",
  now: "{product} endet sofort. Ihre offenen Rechnungen werden storniert. Das lässt sich nicht rückgängig machen.",
  lose: "Folgendes entfällt dann:",
  undo: "Vor diesem Tag können Sie die Kündigung zurücknehmen.",
  why: "Warum kündigen Sie?",
  too_expensive: "Es ist mir zu teuer",
  missing_features: "Mir fehlt eine Funktion",
  switched_service: "Ich nutze jetzt etwas anderes",
  unused: "Ich nutze es zu selten",
  customer_service: "Ich war mit dem Kundenservice nicht zufrieden",
  low_quality: "Es funktioniert nicht gut genug",
  too_complex: "Es ist zu kompliziert",
  other: "Anderer Grund",
  submit: "Zum {day} kündigen",
  submitNow: "Jetzt kündigen",
  keep: "{product} behalten",
  busyTitle: "Gerade nicht möglich",
  busy: `An diesem Abonnement wird gerade etwas anderes geändert. Ihr Abonnement ist unverändert. Versuchen Sie es in
    ein paar Minuten noch einmal.`,
} as const satisfies Translation["portalCancel"];
