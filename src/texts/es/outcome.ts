import type { Translation } from "../translation.ts";

export const outcome = {
  thanks: "Gracias",
  changed: "Su suscripción se ha modificado.",
  complete: "Su pedido se ha completado.",
  takenBack: "Enseguida volverá al sitio web del vendedor.",
  trialBegan: "Su prueba gratuita ha comenzado.",
  changedTo: "Su nuevo plan es {product}.",
  changesOn: "Su suscripción cambiará a {product} el {day}.",
  received: "Hemos recibido su pago.",
  alreadyPaid: "Ya está pagado",
  alreadyDone: "Ya está hecho",
  noAction: "No tiene que hacer nada más en esta página.",
  newPlan: "Nuevo plan",
  purchase: "Su compra",
  paid: "Pagado",
  hostedPay: "Pague {amount} en la página de {provider}. Después volverá a esta página.",
  hostedSave: "Introduzca los datos de su tarjeta en la página de {provider}. Después volverá a esta página.",
  cardAwaited: "Introduzca los datos de su tarjeta para continuar",
  paymentAwaited: "Complete su pago",
  cancel: "Cancelar",
  otherWay: "Pagar de otra forma",
  otherCard: "Pagar con otra tarjeta",
  preparing: "Estamos preparando la página para los datos de su tarjeta. No se le ha cobrado nada.",
  confirmTitle: "Confirme este pago con su banco",
  confirmCardTitle: "Confirme su tarjeta con su banco",
  confirmPay: "Confirme allí el pago de {amount}. Después volverá a esta página.",
  confirmCard: "Confirme allí el uso de su tarjeta. Después volverá a esta página.",
  toBank: "Continuar a su banco",
  processingPay: "El pago de {amount} se está procesando. Puede tardar un poco.",
  processingCard: "Su tarjeta se está procesando. Puede tardar un poco.",
  waiting: "Estamos esperando a su banco.",
  mayClose: "Puede cerrar esta página: no se le cobrará dos veces.",
  expiredTitle: "Esta página ha caducado",
  expired: `Esta página solo era válida durante un tiempo limitado. No se le ha cobrado nada. Vuelva a {seller} y
    empiece de nuevo.`,
} as const satisfies Translation["outcome"];

export const obstacle = {
  product_archivedTitle: "Ya no está a la venta",
  product_archived: "Este producto se ha retirado entretanto. No se le ha cobrado nada.",
  too_many_attemptsTitle: "Demasiados intentos fallidos",
  too_many_attempts:
    "No se permiten más intentos. No se le ha cobrado nada. Si su tarjeta ha sido rechazada, consulte a su banco. " +
    "Después, vuelva atrás y empiece de nuevo.",
  no_providerTitle: "Los pagos aún no están configurados",
  no_provider:
    "El vendedor no puede aceptar pagos en este momento. No se le ha cobrado nada. Avise al vendedor, por favor.",
  payments_pausedTitle: "Los pagos están en pausa",
  payments_paused:
    "El vendedor no puede aceptar pagos en este momento. No se le ha cobrado nada. Deje esta página abierta o vuelva " +
    "más tarde.",
  already_subscribedTitle: "Ya tiene un plan",
  already_subscribed: "No se le ha cobrado nada. Cambie el plan que ya tiene en lugar de contratar otro.",
  payFirstTitle: "Hay un pago pendiente",
  payFirst: "No se le ha cobrado nada. Pague primero el importe pendiente y vuelva a cargar esta página.",
  subscription_canceledTitle: "Su suscripción ha finalizado",
  subscription_canceled: "Ya no se puede modificar. No se le ha cobrado nada.",
  subscription_cancellation_scheduledTitle: "Su suscripción va a finalizar",
  subscription_cancellation_scheduled:
    "No se le ha cobrado nada. Anule primero la cancelación y vuelva a cargar esta página.",
  refund_in_progressTitle: "Hay un reembolso en curso",
  refund_in_progress: "No se le ha cobrado nada. Espere a que el reembolso se complete y vuelva a cargar esta página.",
  payment_disputedTitle: "Hay un pago en disputa",
  payment_disputed: "No se le ha cobrado nada. Su banco aún debe decidir sobre un pago anterior de esta suscripción.",
  change_in_progressTitle: "Se está pagando otro cambio",
  change_in_progress:
    "Aquí no se le ha cobrado nada. Espere a que el otro cambio se complete y vuelva a cargar esta página.",
  unfinishedTitle: "Su pedido anterior está sin terminar",
  unfinished: "Aquí no se le ha cobrado nada. Continúe con ese pedido o use otra tarjeta para pagarlo.",
  impossibleTitle: "Este cambio no es posible ahora",
  impossible: "No se le ha cobrado nada y su suscripción no ha cambiado. Vuelva atrás y empiece de nuevo.",
  otherPlanTitle: "Ya tiene un plan de este tipo",
  otherPlan: "No se le ha cobrado nada. En su lugar, cambie el plan que ya tiene.",
  noChangeTitle: "No hay nada que cambiar",
  noChange: "Su plan ya es {product}. No se le ha cobrado nada.",
} as const satisfies Translation["obstacle"];
