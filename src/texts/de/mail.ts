import type { Translation } from "../translation.ts";

export const mailFrame = {
  sandbox: "Diese E-Mail kommt aus einer Testumgebung. Es ist kein echtes Geld geflossen.",
  reason: "Sie erhalten diese E-Mail als Kundin oder Kunde von {seller}.",
  label: "{name}:",
} as const satisfies Translation["mailFrame"];

export const mailPayment = {
  failedSubject: "Ihre Zahlung von {amount} für {product} ist fehlgeschlagen",
  failedTitle: "Ihre Zahlung ist fehlgeschlagen",
  failed: "Wir konnten {amount} für {product} nicht von {card} abbuchen.",
  due: "{amount} für {product} sind fällig.",
  retry: "Am {day} versuchen wir es erneut, wenn Sie nicht vorher bezahlen.",
  noRetry: "Wir buchen diesen Betrag nicht noch einmal automatisch ab. Bitte bezahlen Sie ihn mit einer Karte.",
  pay: "{amount} bezahlen",
  dueTitle: "Eine Zahlung ist fällig",
  payByCard: "Bitte bezahlen Sie mit einer Karte.",
  heldSubject: "Bitte bezahlen Sie {amount} für {product}",
  heldTitle: "Wir haben Ihre Karte nicht belastet",
  held: `{amount} für {product} sind fällig. Wir haben {card} nicht belastet, weil Ihre Bank eine frühere Zahlung mit
    dieser Karte nach einer Beanstandung zurückgebucht hat.`,
  heldCards: `Sie können mit dieser oder mit einer anderen Karte bezahlen. Auch spätere Beträge buchen wir dann von
    der verwendeten Karte ab.`,
  heldRetry: "Wenn Sie nicht vorher bezahlen, belasten wir am {day} Ihre hinterlegte Karte.",
  confirmSubject: "Bitte bestätigen Sie Ihre Zahlung von {amount}",
  confirmTitle: "Ihre Bank bittet Sie, eine Zahlung zu bestätigen",
  confirm: "Wir buchen {amount} für {product} von {card} ab, sobald Sie die Zahlung bei Ihrer Bank bestätigen.",
  confirmAny: "Wir buchen {amount} für {product} von Ihrer Karte ab, sobald Sie die Zahlung bei Ihrer Bank bestätigen.",
  confirmRetry: "Wenn Sie vorher weder bestätigen noch bezahlen, versuchen wir es am {day} erneut.",
  confirmOther: "Auf derselben Seite können Sie auch mit einer anderen Karte bezahlen.",
  toBank: "Zahlung bestätigen",
  expiringSubject: "Ihre Karte mit den Endziffern {last4} läuft bald ab",
  expiringTitle: "Ihre Karte läuft bald ab",
  expiring: `Ihre Karte ({brand}, Endziffern {last4}) läuft Ende {month} ab. Aktualisieren Sie Ihre Kartendaten,
    damit Ihr Zugang zu {products} ohne Unterbrechung bestehen bleibt.`,
  expiringBank: "Wenn Sie von Ihrer Bank schon eine neue Karte erhalten haben, hinterlegen Sie einfach diese.",
  updateCard: "Karte aktualisieren",
} as const satisfies Translation["mailPayment"];

export const mailSubscription = {
  forDay: "{count, plural, one {für den nächsten Tag} other {für die nächsten # Tage}}",
  forWeek: "{count, plural, one {für die nächste Woche} other {für die nächsten # Wochen}}",
  forMonth: "{count, plural, one {für den nächsten Monat} other {für die nächsten # Monate}}",
  forYear: "{count, plural, one {für das nächste Jahr} other {für die nächsten # Jahre}}",
  startedSubject: "Ihr Probezeitraum für {product} hat begonnen",
  startedTitle: "Ihr Probezeitraum hat begonnen",
  started: "Ihr Probezeitraum für {product} läuft bis zum {day}. Es wurde nichts abgebucht.",
  longerSubject: "Ihr Probezeitraum für {product} endet erst am {day}",
  longerTitle: "Ihr Probezeitraum endet erst am {day}",
  longer: "Ihr Probezeitraum für {product} wurde verlängert und läuft jetzt bis zum {day}.",
  trialSubject: "Ihr Probezeitraum für {product} endet am {day}",
  trialTitle: "Ihr Probezeitraum endet am {day}",
  trial: "Ihr Probezeitraum für {product} endet am {day}.",
  trialCard: "Danach buchen wir {amount} {span} von {card} ab. Sie müssen nichts weiter tun.",
  trialBalance: "Danach werden {amount} {span} aus Ihrem Guthaben bezahlt. Sie müssen nichts weiter tun.",
  trialHeld: "Danach werden {amount} {span} fällig.",
  trialNoCard: `Für Sie ist keine Karte hinterlegt. Wenn Sie vorher eine Karte hinterlegen, geht es für {amount}
    {span} weiter. Sonst endet an diesem Tag Ihr Zugang, und es wird nichts abgebucht.`,
  renewalSubject: "{product} verlängert sich am {day}",
  renewalTitle: "Ihr Abonnement verlängert sich am {day}",
  renewal: "{product} verlängert sich am {day}.",
  renewalCard: "Wir buchen dann {amount} {span} von {card} ab.",
  renewalBalance: "{amount} {span} werden dann aus Ihrem Guthaben bezahlt.",
  renewalHeld: "{amount} {span} werden dann fällig.",
  renewalNoCard: `{amount} {span} werden dann fällig, und es ist keine Karte hinterlegt. Bitte hinterlegen Sie vorher
    eine Karte. Sonst schicken wir Ihnen per E-Mail einen Link zu einer Zahlungsseite.`,
  held: `Ihre Bank hat eine frühere Zahlung mit {card} zurückgebucht. Deshalb belasten wir diese Karte nicht
    automatisch. Bitte hinterlegen Sie vorher eine andere Karte. Sonst schicken wir Ihnen per E-Mail einen Link zu einer
    Zahlungsseite.`,
  cancel: "Wenn Sie Ihr Abonnement nicht fortsetzen möchten, kündigen Sie es vor dem {day} in Ihrem Konto.",
  account: "Zu Ihrem Konto",
  addCard: "Karte hinterlegen",
  endsSubject: "Ihr Abonnement für {product} endet am {day}",
  endsTitle: "Ihr Abonnement endet am {day}",
  endsLost: "Das entfällt dann",
  endsUndo: "Sie haben es sich anders überlegt? Vor diesem Tag können Sie die Kündigung in Ihrem Konto zurücknehmen.",
  continuesSubject: "Ihr Abonnement für {product} läuft weiter",
  continuesTitle: "Ihr Abonnement läuft weiter",
  continues: "Die Kündigung Ihres Abonnements für {product} wurde zurückgenommen.",
  droppedSubject: "Ihr Tarif {product} bleibt bestehen",
  droppedTitle: "Der geplante Tarifwechsel wurde aufgehoben",
  dropped:
    "Der für den {day} geplante Tarifwechsel ist nicht mehr möglich und wurde aufgehoben. Ihr Tarif bleibt {product}.",
  endedSubject: "Ihr Abonnement für {product} ist beendet",
  endedTitle: "Ihr Abonnement ist beendet",
  ended:
    "Ihr Abonnement für {product} endete am {day}, und damit auch Ihr Zugang. Das Abonnement verlängert sich nicht.",
  unpaid: `Ihr Abonnement für {product} endete am {day}, weil die Zahlung dafür fehlgeschlagen ist. Damit ist auch
    Ihr Zugang beendet. Wir buchen nichts mehr ab.`,
  again: "Sie möchten weitermachen? Dann können Sie jederzeit bei {seller} ein neues Abonnement abschließen.",
  trialEndedSubject: "Ihr Probezeitraum für {product} ist beendet",
  trialEndedTitle: "Ihr Probezeitraum ist beendet",
  trialEnded: "Ihr Probezeitraum für {product} endete am {day}, und damit auch Ihr Zugang. Es wurde nichts abgebucht.",
  unrecognizedSubject: "{product} ist beendet, weil Sie den Kauf nicht kennen",
  unrecognizedTitle: "Ein Kauf, den Sie nicht kennen, ist beendet",
  unrecognized: `{product} wurde mit Ihrer E-Mail-Adresse gekauft. Sie haben angegeben, dass Sie den Kauf nicht
    kennen. Deshalb endete das Abonnement am {day}. Ihnen wird dafür nichts berechnet.`,
  notYou: "Falls diese Angabe nicht von Ihnen stammt, wenden Sie sich an {seller}.",
} as const satisfies Translation["mailSubscription"];

export const mailPause = {
  subject: "Ihr Abonnement für {product} pausiert ab {day}",
  title: "Ihr Abonnement pausiert ab {day}",
  until: "{product} pausiert ab {day} und läuft am {until} weiter. Während der Pause buchen wir nichts ab.",
  open: `{product} pausiert ab {day}. Während der Pause buchen wir nichts ab. Ihr Abonnement läuft weiter, sobald
    Sie es in Ihrem Konto fortsetzen.`,
  begunSubject: "Ihr Abonnement für {product} ist pausiert",
  begunTitle: "Ihr Abonnement ist pausiert",
  begunUntil: `{product} ist seit dem {day} pausiert und läuft am {until} weiter. Während der Pause buchen wir nichts
    ab.`,
  begunOpen: `{product} ist seit dem {day} pausiert. Während der Pause buchen wir nichts ab. Ihr Abonnement läuft
    weiter, sobald Sie es in Ihrem Konto fortsetzen.`,
  accessOff: `Während der Pause haben Sie keinen Zugang. Er ist wieder da, sobald Ihr Abonnement weiterläuft und die
    Zahlung gelungen ist.`,
  accessStays: "Ihren Zugang behalten Sie während der Pause.",
  change: "Sie haben es sich anders überlegt? In Ihrem Konto können Sie die Pause zurücknehmen oder jederzeit beenden.",
  end: "Sie haben es sich anders überlegt? In Ihrem Konto können Sie die Pause jederzeit beenden.",
  undone: "Die geplante Pause Ihres Abonnements für {product} wurde zurückgenommen.",
  resumeSubject: "{product} läuft am {day} weiter",
  resumeTitle: "Ihr Abonnement läuft am {day} weiter",
  resume: "Die Pause von {product} endet am {day}.",
} as const satisfies Translation["mailPause"];

export const mailReceipt = {
  noted: "{name} ({notes})",
  subject: "Ihr Zahlungsbeleg von {seller}: {total}",
  title: "Vielen Dank für Ihre Zahlung",
  orderSubject: "Ihre Bestellung bei {seller}",
  orderTitle: "Vielen Dank für Ihre Bestellung",
  order: "Ihre Bestellung von {product} ist abgeschlossen. Es wurde nichts abgebucht.",
  paid: "{status}. Die Rechnung {number} finden Sie als PDF im Anhang.",
  deliverables: "Ihr Kauf",
  licenseKey: "Lizenzschlüssel",
  devices: "{count, plural, one {Für # Gerät} other {Für bis zu # Geräte}}",
  signIn: "Melden Sie sich mit Ihrer E-Mail-Adresse an, um Ihre Dateien herunterzuladen.",
  download: "Dateien herunterladen",
  included: "Enthalten",
  deliverablesInAccount: "Ihre Lizenzschlüssel und Downloads finden Sie in Ihrem Konto.",
  noFurtherCharge: "Ihr Abonnement für {product} ist beendet. Es wird nichts mehr abgebucht.",
  invoice: "Rechnung ansehen",
  pdf: "Rechnung als PDF",
  account: "Zu Ihrem Konto",
  site: "Zurück zu {seller}",
} as const satisfies Translation["mailReceipt"];

export const mailSignIn = {
  subject: "Anmeldung bei {seller}",
  one: `Melden Sie sich mit diesem Link an, um Ihre Abonnements und Rechnungen zu sehen. Der Link ist {minutes, plural,
    one {# Minute} other {# Minuten}} lang gültig und kann nur einmal verwendet werden.`,
  several: `Bei {seller} gibt es mehrere Konten mit Ihrer E-Mail-Adresse. Für jedes finden Sie hier einen eigenen
    Link. Jeder Link ist {minutes, plural, one {# Minute} other {# Minuten}} lang gültig und kann nur einmal verwendet
    werden.`,
  signIn: "Anmelden",
  signInAs: "Als {account} anmelden",
  ignore: `Wenn Sie diese E-Mail nicht angefordert haben, können Sie sie ignorieren. Ohne sie ist keine Anmeldung
    möglich.`,
} as const satisfies Translation["mailSignIn"];
