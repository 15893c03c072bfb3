import type { Translation } from "../translation.ts";

export const portalDone = {
  details: "Sus datos se han guardado.",
  card: "Su tarjeta se ha guardado.",
  cancel: "Su cancelación está confirmada.",
  keep: "Se ha anulado la cancelación. Su suscripción continúa.",
  pause: "La pausa está prevista.",
  undoPause: "La pausa se ha anulado. Su suscripción continúa.",
  resume: "Su suscripción continúa.",
  price: "Gracias, ha aceptado el nuevo precio.",
  keepPlan: "Se ha anulado el cambio de plan. Conserva su plan actual.",
  withdrawEmail: "Su correo electrónico no cambia. El enlace de confirmación ya no funciona.",
  disown: "La suscripción ha terminado. El vendedor ve que usted no reconoce la compra.",
  planCard: "A partir de ahora, la suscripción se cobra en su tarjeta.",
} as const satisfies Translation["portalDone"];
