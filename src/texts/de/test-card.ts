import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "Akzeptierte Karten",
} as const satisfies Translation["brand"];
/** The behaviour of each test card of a sandbox, after the number of the card. */
export const testCard = {
  pays: "zahlt",
  otherCard: "zahlt; eine andere Karte als die erste",
  card_declined: "wird abgelehnt",
  insufficient_funds: "wird abgelehnt: Deckung reicht nicht aus",
  card_expired: "wird abgelehnt: abgelaufen",
  fails_later: "zahlt jetzt und wird bei jeder Verlängerung abgelehnt",
  authenticates: "verlangt eine Bestätigung durch den Käufer",
  processing_error: "wird abgelehnt: Fehler bei der Verarbeitung",
  answer_lost: "zahlt, aber die Antwort geht verloren",
  refund_fails: "zahlt, aber Erstattungen schlagen später fehl",
  account_refused: "lässt den Zahlungsanbieter jede Zahlung an den Verkäufer verweigern",
  charge_refused: "wird verweigert: Der Betrag ist dem Zahlungsanbieter immer zu hoch",
  processing: "zahlt nach einer Weile",
} as const satisfies Translation["testCard"];
