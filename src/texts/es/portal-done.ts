import type { Translation } from "../translation.ts";

export const portalDone = {
  details: "Sus datos se han guardado.",
  card: "Su tarjeta se ha guardado.",
  cancel: "Su cancelación está confirmada.",
  keep: "Se ha anulado la cancelación. Su suscripción continúa.",
  keepPlan: "Se ha anulado el cambio de plan. Conserva su plan actual.",
  withdrawEmail: "Su correo electrónico no cambia. El enlace de confirmación ya no funciona.",
} as const satisfies Translation["portalDone"];
