import type { Translation } from "../translation.ts";

export const unpaidNotice = {
  noCard: "No hay ninguna tarjeta guardada en la que se pueda cobrar.",
  confirmFirst: "Su banco le pide que confirme antes el pago.",
  accessStays: "Hasta el {day}",
  accessOff: "Suspendido hasta que se pague todo lo pendiente",
  yourAccessStays: "Si no paga, su acceso terminará el {day}.",
  yourAccessOff: "Su acceso está suspendido hasta que se pague todo lo pendiente.",
  endsWithRetry: "Si ese cobro se realiza, {product} terminará, porque no ha aceptado el nuevo precio.",
} as const satisfies Translation["unpaidNotice"];
