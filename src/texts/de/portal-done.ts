import type { Translation } from "../translation.ts";

export const portalDone = {
  details: "Ihre Angaben wurden gespeichert.",
  card: "Ihre Karte wurde gespeichert.",
  cancel: "Ihre Kündigung ist bestätigt.",
  keep: "Die Kündigung wurde zurückgenommen. Ihr Abonnement läuft weiter.",
  pause: "Die Pause ist eingeplant.",
  undoPause: "Die Pause ist zurückgenommen. Ihr Abonnement läuft weiter.",
  resume: "Ihr Abonnement läuft weiter.",
  price: "Danke, Sie haben dem neuen Preis zugestimmt.",
  keepPlan: "Ihr Tarif bleibt unverändert.",
  withdrawEmail: "Ihre E-Mail-Adresse bleibt unverändert. Der Bestätigungslink ist nicht mehr gültig.",
  disown: "Das Abonnement ist beendet. Der Anbieter sieht, dass Sie den Kauf nicht kennen.",
  planCard: "Das Abonnement wird ab jetzt von Ihrer Karte abgebucht.",
} as const satisfies Translation["portalDone"];
