import type { Translation } from "../translation.ts";

export const unpaidNotice = {
  noCard: "Aucune carte enregistrée ne peut être débitée.",
  confirmFirst: "Votre banque vous demande d’abord de confirmer le paiement.",
  accessStays: "Jusqu’au {day}",
  accessOff: "Suspendu jusqu’au règlement de tous les montants dus",
  yourAccessStays: "Sans paiement, votre accès prendra fin le {day}.",
  yourAccessOff: "Votre accès est suspendu jusqu’au règlement de tous les montants dus.",
  endsWithRetry: "Si ce paiement aboutit, {product} prendra fin, car vous n’avez pas accepté le nouveau prix.",
} as const satisfies Translation["unpaidNotice"];
