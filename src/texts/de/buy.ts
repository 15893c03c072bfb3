import type { Translation } from "../translation.ts";

export const buy = {
  title: "Wählen Sie ein Angebot",
  billing: "Abrechnungszeitraum",
  once: "Einmaliger Kauf",
  onward: "Weiter",
  onwardWith: "Weiter mit {product}",
  nextPage: "Auf der nächsten Seite geben Sie Ihre Daten ein und bezahlen.",
  others: "Alle Angebote ansehen",
  ignored: "„{value}“ aus dem Link lässt sich hier nicht verwenden.",
  offTitle: "Dieser Link ist abgeschaltet",
  off: "Der Anbieter verkauft nicht mehr über diesen Link. Ihnen wurde nichts berechnet.",
  endedTitle: "Dieses Angebot ist beendet",
  ended: "Der Rabatt dieses Links lässt sich nicht mehr verwenden. Ihnen wurde nichts berechnet.",
  table: "Tarife und Preise",
} as const satisfies Translation["buy"];
