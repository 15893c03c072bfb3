import type { Translation } from "../translation.ts";

export const unpaidNotice = {
  noCard: "Es ist keine Karte hinterlegt, die belastet werden kann.",
  confirmFirst: "Ihre Bank bittet Sie, die Zahlung zuerst zu bestätigen.",
  accessStays: "Bis zum {day}",
  accessOff: "Gesperrt, bis alle offenen Beträge bezahlt sind",
  yourAccessStays: "Ohne Zahlung endet Ihr Zugang am {day}.",
  yourAccessOff: "Ihr Zugang ist gesperrt, bis alle offenen Beträge bezahlt sind.",
  endsWithRetry: "Gelingt diese Abbuchung, endet {product}, weil Sie dem neuen Preis nicht zugestimmt haben.",
} as const satisfies Translation["unpaidNotice"];
