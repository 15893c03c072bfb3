import type { Translation } from "../translation.ts";

export const mailCardRequest = {
  subject: "{product} : ajoutez une carte avant le {day}",
  title: "Merci d’ajouter une carte avant le {day}",
  moved: `{seller} gère désormais votre abonnement à {product} avec un nouveau système de facturation. Votre carte
    n’a pas pu y être transférée.`,
} as const satisfies Translation["mailCardRequest"];
