import type { Translation } from "../translation.ts";

export const unpaid = {
  noCard: "Aucune carte enregistrée ne peut être débitée.",
  confirmFirst: "Votre banque vous demande d’abord de confirmer le paiement.",
  accessStays: "Jusqu’au {day}",
  accessOff: "Suspendu jusqu’au règlement de tous les montants dus",
  yourAccessStays: "Votre accès est maintenu jusqu’au {day}.",
  yourAccessOff: "Votre accès est suspendu jusqu’au règlement de tous les montants dus.",
} as const satisfies Translation["unpaid"];
