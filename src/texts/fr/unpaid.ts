import type { Translation } from "../translation.ts";

export const unpaid = {
  noCard: "Aucune carte enregistrée ne peut être débitée.",
  confirmFirst: "La banque vous demande d’abord de confirmer le paiement.",
  accessStays: "maintenu jusqu’au {day}",
  accessOff: "suspendu jusqu’au règlement de tous les montants dus",
  yourAccessStays: "Votre accès est maintenu jusqu’au {day}.",
  yourAccessOff: "Votre accès est suspendu jusqu’au règlement de tous les montants dus.",
} as const satisfies Translation["unpaid"];
