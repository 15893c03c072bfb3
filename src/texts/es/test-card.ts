import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "Tarjetas aceptadas",
} as const satisfies Translation["brand"];
/** The behaviour of each test card of a sandbox, after the number of the card. */
export const testCard = {
  pays: "paga",
  otherCard: "paga; es una tarjeta distinta de la primera",
  card_declined: "se rechaza",
  insufficient_funds: "se rechaza: fondos insuficientes",
  card_expired: "se rechaza: tarjeta caducada",
  fails_later: "paga ahora y se rechaza en cada renovación",
  authenticates: "pide al comprador que se autentique",
  processing_error: "se rechaza: error de procesamiento",
  answer_lost: "paga, pero la respuesta se pierde",
  refund_fails: "paga, pero los reembolsos fallan después",
  account_refused: "hace que el proveedor de pagos rechace todos los cobros del vendedor",
  charge_refused: "no se admite: el proveedor de pagos considera excesivo cualquier importe",
  processing: "paga al cabo de un rato",
} as const satisfies Translation["testCard"];
