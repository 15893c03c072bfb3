import type { Translation } from "../translation.ts";

export const frame = {
  sandbox: "Testumgebung",
  sandboxNote: "Hier fließt kein echtes Geld: Geben Sie niemals echte Kartendaten ein.",
  sandboxClock: "Die Uhr der Testumgebung steht auf dem {day}.",
  sandboxMail: "Dies ist eine Testumgebung: Jede E-Mail finden Sie auch im {mailbox}.",
  sandboxMailbox: "Test-Postfach",
  optional: "optional",
  errorTitle: "Fehler: {title}",
  checkFields: "Bitte prüfen Sie Ihre Angaben",
  refresh: "Aktualisieren",
  back: "Zurück zu {seller}",
  onward: "Weiter zu {seller}",
  person: "{name} ({email})",
  oneMoment: "Einen Moment, bitte",
  sentences: "{first} {second}",
} as const satisfies Translation["frame"];

export const problem = {
  incompleteTitle: "Ihre Eingaben sind nicht vollständig angekommen",
  incomplete: `Ihre Eingaben sind nicht vollständig angekommen. Gehen Sie zurück und senden Sie das Formular noch
    einmal ab.`,
  foreignTitle: "Von einer anderen Website gesendet",
  foreign:
    "Zu Ihrer Sicherheit nehmen wir Formulare nur von unseren eigenen Seiten an. Öffnen Sie den Link noch einmal und " +
    "verwenden Sie das Formular dort.",
  notFoundTitle: "Seite nicht gefunden",
  notFound:
    "Unter dieser Adresse gibt es keine Seite. Prüfen Sie, ob Sie den ganzen Link kopiert haben, oder bitten Sie den " +
    "Absender um einen neuen.",
  methodTitle: "Hier nicht möglich",
  method: "Diese Seite lässt sich so nicht verwenden. Gehen Sie zurück oder öffnen Sie den Link noch einmal.",
  goneTitle: "Dieser Link gilt nicht mehr",
  gone: `Links zu Dateien gelten nur kurze Zeit und nur, solange Ihr Zugang besteht. Einen neuen Link erhalten Sie
    auf der Seite, auf der Sie diesen gefunden haben.`,
  tooLargeTitle: "Ihr Text ist zu lang",
  tooLarge: "Ihr Text ist länger als hier erlaubt. Gehen Sie zurück und kürzen Sie ihn.",
  notAFormTitle: "Bitte verwenden Sie das Formular",
  notAForm: "Diese Seite nimmt nur ihr eigenes Formular an. Öffnen Sie den Link und füllen Sie das Formular dort aus.",
  tooManyTitle: "Zu viele Versuche",
  tooMany: "Warten Sie eine Minute und versuchen Sie es dann erneut. Der letzte Versuch wurde nicht ausgeführt.",
  oursTitle: "Etwas ist schiefgelaufen",
  ours: `Der Fehler liegt bei uns. Falls Sie gerade bezahlt haben, aktualisieren Sie die Seite: Dort sehen Sie, ob die
    Zahlung erfolgt ist. Es wird nichts doppelt abgebucht.`,
  unavailableTitle: "Zurzeit nicht verfügbar",
  unavailable: `Bitte versuchen Sie es in ein paar Augenblicken noch einmal. Der Fehler liegt bei uns. Falls Sie
    gerade bezahlt haben, aktualisieren Sie die Seite: Dort sehen Sie, ob die Zahlung erfolgt ist. Es wird nichts
    doppelt abgebucht.`,
  returnOverTitle: "Diese Zahlungsseite ist geschlossen",
  returnOver: `Diese Adresse führt nur für begrenzte Zeit zur Zahlungsseite. Ob die Zahlung erfolgt ist, sehen Sie auf
    der Seite von {seller} oder über den Link in Ihrer E-Mail.`,
} as const satisfies Translation["problem"];
