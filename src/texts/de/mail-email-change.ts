import type { Translation } from "../translation.ts";

export const mailEmailChange = {
  confirmSubject: "Bestätigen Sie Ihre E-Mail-Adresse für {seller}",
  confirmTitle: "Bestätigen Sie Ihre E-Mail-Adresse",
  confirm:
    "Diese Adresse soll für Ihr Konto bei {seller} verwendet werden. Bitte bestätigen Sie, dass die Adresse Ihnen " +
    "gehört.",
  confirmLink: "Adresse bestätigen",
  confirmOnce: `{hours, plural, one {Der Link ist eine Stunde gültig und kann nur einmal verwendet werden.} other
    {Der Link ist # Stunden gültig und kann nur einmal verwendet werden.}}`,
  confirmIgnore:
    "Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ohne Ihre Bestätigung wird die " +
    "Adresse nicht verwendet.",
  confirmReason: "Sie erhalten diese E-Mail, weil diese Adresse für ein Konto bei {seller} angegeben wurde.",
  changedSubject: "Ihre E-Mail-Adresse bei {seller} wurde geändert",
  changedTitle: "Ihre E-Mail-Adresse wurde geändert",
  changed: `Für Ihr Konto bei {seller} gilt jetzt die Adresse {address}. An Ihre bisherige Adresse senden wir keine
    E-Mails mehr zu diesem Konto.`,
  changedIgnore: "Wenn Sie die Adresse selbst geändert haben, brauchen Sie nichts weiter zu tun.",
  changedUndo: `Waren Sie das nicht? Dann machen Sie die Änderung innerhalb von {days, plural, one {einem Tag} other
    {# Tagen}} rückgängig. Ihr Konto erhält diese Adresse zurück, und alle Geräte werden abgemeldet.`,
  undoLink: "Rückgängig machen",
} as const satisfies Translation["mailEmailChange"];
