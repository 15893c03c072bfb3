import type { Translation } from "../translation.ts";

export const buy = {
  title: "Choisissez une offre",
  billing: "Période de facturation",
  once: "Achat unique",
  onward: "Continuer",
  onwardWith: "Continuer avec {product}",
  nextPage: "Vous saisirez vos coordonnées et paierez à la page suivante.",
  others: "Voir toutes les offres",
  ignored: "« {value} », indiqué dans le lien, ne peut pas être utilisé ici.",
  offTitle: "Ce lien est désactivé",
  off: "Le vendeur ne vend plus par ce lien. Vous n’avez pas été débité.",
  endedTitle: "Cette offre est terminée",
  ended: "La remise de ce lien n’est plus utilisable. Vous n’avez pas été débité.",
  table: "Offres et tarifs",
} as const satisfies Translation["buy"];
