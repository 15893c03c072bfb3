import type { Translation } from "../translation.ts";

export const portalPause = {
  title: "{product} fortsetzen?",
  charge: "Ein neuer Zeitraum beginnt jetzt und läuft bis zum {day}. Wir buchen {amount} von {card} ab.",
  free: "Ein neuer Zeitraum beginnt jetzt und läuft bis zum {day}. Es wird nichts abgebucht.",
  back: "Ihr Zugang ist wieder da, sobald die Zahlung gelungen ist.",
  noCard: "Ein neuer Zeitraum kostet {amount}, und es ist keine Karte hinterlegt. Hinterlegen Sie zuerst eine Karte.",
  submit: "Fortsetzen und {amount} bezahlen",
  submitFree: "Jetzt fortsetzen",
  keep: "Weiter pausieren",
  changed: "Der Betrag oder die Karte hat sich geändert. Bitte prüfen Sie die Angaben noch einmal.",
  pauses: "Pausiert ab {day}.",
  pausesUntil: "Pausiert ab {day} bis zum {until}.",
  pausedUntil: "Pausiert bis zum {until}. Vorher wird nichts abgebucht.",
  pausedOpen: "Pausiert. Es wird nichts abgebucht, bis Sie das Abonnement fortsetzen.",
  undo: "Pause zurücknehmen",
  resume: "Abonnement fortsetzen",
  cancelToo: "Damit nehmen Sie auch die geplante Pause zurück.",
} as const satisfies Translation["portalPause"];
