import type { Translation } from "../translation.ts";

/** The behaviour of each test card of a sandbox, after the number of the card. */
export const testCard = {
  pays: "zahlt",
  otherCard: "zahlt; eine andere Karte als die erste",
  card_declined: "wird abgelehnt",
  insufficient_funds: "wird abgelehnt: nicht ausreichend gedeckt",
  card_expired: "wird abgelehnt: abgelaufen",
  fails_later: "zahlt jetzt und wird bei jeder Verlängerung abgelehnt",
  authenticates: "verlangt eine Bestätigung bei der Bank",
  processing_error: "wird abgelehnt: Fehler bei der Verarbeitung",
  answer_lost: "zahlt, aber die Antwort geht verloren",
  refund_fails: "zahlt, aber Erstattungen schlagen später fehl",
  account_refused: "wird abgelehnt: Der Zahlungsdienstleister verweigert dem Anbieter alle Zahlungen",
  charge_refused: "wird abgelehnt: Der Betrag ist dem Zahlungsdienstleister immer zu hoch",
  processing: "zahlt nach einer Weile",
} as const satisfies Translation["testCard"];
