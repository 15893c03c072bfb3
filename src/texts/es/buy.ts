import type { Translation } from "../translation.ts";

export const buy = {
  title: "Elija una oferta",
  billing: "Período de facturación",
  once: "Compra única",
  onward: "Continuar",
  onwardWith: "Continuar con {product}",
  nextPage: "En la página siguiente introducirá sus datos y pagará.",
  others: "Ver todas las ofertas",
  ignored: "«{value}», indicado en el enlace, no se puede usar aquí.",
  offTitle: "Este enlace está desactivado",
  off: "El vendedor ya no vende a través de este enlace. No se le ha cobrado nada.",
  endedTitle: "Esta oferta ha terminado",
  ended: "El descuento de este enlace ya no se puede usar. No se le ha cobrado nada.",
  table: "Planes y precios",
} as const satisfies Translation["buy"];
