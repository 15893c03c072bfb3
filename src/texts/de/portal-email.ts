import type { Translation } from "../translation.ts";

export const portalEmail = {
  section: "E-Mail-Adresse",
  change: "E-Mail-Adresse ändern",
  confirmAwaited: "Um {email} zu verwenden, öffnen Sie den Link, den wir dorthin gesendet haben.",
  withdraw: "Bisherige Adresse behalten",
  title: "E-Mail-Adresse ändern",
  current: "Ihre aktuelle Adresse ist {email}.",
  label: "Neue E-Mail-Adresse",
  same: "Diese Adresse gilt bereits für Ihr Konto.",
  send: "Bestätigungslink senden",
  sentTitle: "Prüfen Sie Ihren Posteingang",
  sent:
    "Wir senden einen Link an {email}. Öffnen Sie ihn innerhalb {hours, plural, one {einer Stunde} other {von # " +
    "Stunden}}, um die Adresse zu bestätigen. Bis dahin gilt Ihre bisherige Adresse weiter.",
  noMail: "Nach ein paar Minuten noch keine E-Mail? Sehen Sie im Spam-Ordner nach oder {again}.",
  again: "versuchen Sie es noch einmal",
  tooManyTitle: "Zu viele Anfragen",
  tooMany: "Sie haben bereits mehrere Links angefordert. Bitte versuchen Sie es in einer Stunde noch einmal.",
  confirmTitle: "E-Mail-Adresse bestätigen",
  confirm:
    "Ihr Konto bei {seller} verwendet dann {email} für die Anmeldung, für Zahlungsbelege und andere Nachrichten. " +
    "Danach melden Sie sich mit dieser Adresse neu an.",
  confirmSubmit: "Adresse bestätigen",
  changedTitle: "Ihre E-Mail-Adresse wurde geändert",
  changed:
    "Melden Sie sich ab jetzt mit der neuen Adresse an. An Ihre bisherige Adresse haben wir eine Mitteilung über " +
    "die Änderung gesendet.",
  signIn: "Anmelden",
  takenTitle: "Diese Adresse kann nicht verwendet werden",
  taken:
    "Diese Adresse kann für das Konto nicht verwendet werden. Es behält seine bisherige Adresse. Falls Sie mit " +
    "dieser Adresse ein anderes Konto haben, melden Sie sich dort an.",
  goneTitle: "Dieser Link ist nicht mehr gültig",
  gone: `Ein Bestätigungslink ist {hours, plural, one {eine Stunde} other {# Stunden}} gültig und kann nur einmal
    verwendet werden. Wenn Sie eine andere Adresse angeben, verfällt er. Einen neuen Link erhalten Sie in Ihrem Konto.`,
  undoTitle: "Änderung der E\u2011Mail\u2011Adresse rückgängig machen?",
  undo: `Ihr Konto bei {seller} erhält {email} zurück. Alle Anmeldungen werden beendet, und bereits gesendete Links
    verlieren ihre Gültigkeit.`,
  undoSubmit: "Änderung rückgängig machen",
  undoneTitle: "Ihre frühere E\u2011Mail\u2011Adresse gilt wieder",
  undone: `Die Änderung wurde rückgängig gemacht, und alle Anmeldungen wurden beendet. Melden Sie sich mit Ihrer
    früheren Adresse an und prüfen Sie Ihr Konto.`,
  undoGone:
    "Die Änderung wurde bereits rückgängig gemacht oder liegt mehr als {days, plural, one {einen Tag} other {# " +
    "Tage}} zurück. Wenn Sie Hilfe brauchen, wenden Sie sich an {seller}.",
} as const satisfies Translation["portalEmail"];
