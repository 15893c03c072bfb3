import type { Translation } from "../translation.ts";

export const portalExport = {
  title: "Ihre Daten",
  about: "Laden Sie die Daten Ihres Kontos bei {seller} als eine Datei herunter.",
  holds: `Die Datei enthält Ihre Angaben, Ihre Karten ohne die Nummern, Ihre Abonnements, Bestellungen,
    Rechnungen, Zahlungen, Zugänge und E-Mails sowie ein Protokoll aller Änderungen.`,
  format: "Andere Programme können die Datei lesen (JSON). Ihre Rechnungen als PDF finden Sie in Ihrem Konto.",
  secret: `Geben Sie die Datei nicht weiter. Ihre Links öffnen Ihre Rechnungen, und sie kann gekaufte Schlüssel
    enthalten.`,
  download: "Ihre Daten herunterladen",
} as const satisfies Translation["portalExport"];
