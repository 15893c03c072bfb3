import type { Translation } from "../translation.ts";

export const portalDone = {
  details: "Vos coordonnées ont été enregistrées.",
  card: "Votre carte a été enregistrée.",
  cancel: "Votre résiliation est confirmée.",
  keep: "La résiliation a été annulée. Votre abonnement se poursuit.",
  pause: "La pause est prévue.",
  undoPause: "La pause est annulée. Votre abonnement se poursuit.",
  resume: "Votre abonnement reprend.",
  price: "Merci, vous avez accepté le nouveau prix.",
  keepPlan: "Votre forfait reste inchangé.",
  withdrawEmail: "Votre adresse e-mail reste inchangée. Le lien de confirmation n’est plus valable.",
  disown: "L’abonnement est terminé. Le vendeur voit que vous ne reconnaissez pas cet achat.",
  planCard: "L’abonnement est désormais débité sur votre carte.",
} as const satisfies Translation["portalDone"];
