import type { Translation } from "../translation.ts";

export const invoicePage = {
  resultAwaited: "Estamos esperando el resultado de su pago en la página de {provider}. No se le cobrará dos veces.",
  notCompleted: "El pago del {day} en la página de {provider} no se completó. No se le ha cobrado nada.",
  confirm: "Su banco le pide que confirme el pago de {amount} con {card}.",
  earlierFirst: "Primero se cobra una factura anterior. Después se cobrará esta.",
  processing: "El pago de {amount} con {card} se está procesando. No se le cobrará dos veces.",
  charging: "Estamos cobrando {amount} en {card}. Puede cerrar esta página; no se le cobrará dos veces.",
  yourCard: "su tarjeta",
  failed: "El {day} no se pudo realizar el cobro de {amount} en {card}.",
  notCharged: "El {day} no se realizó el cobro de {amount} en {card}.",
  retry: "Si no paga antes, el {day} se volverá a intentar el cobro en {card}.",
  restart:
    "Su último periodo ha terminado. Pagará el importe pendiente ({owed}) y {amount} por {product} hasta el {day}.",
  noProvider: "El vendedor no puede aceptar pagos en este momento. Avise al vendedor, por favor.",
  tooManyCards: `Se han rechazado demasiadas tarjetas. Esta página no acepta más. Consulte a su banco y, después, al
    vendedor.`,
  settled: "Gracias. Todo está pagado y ya tiene acceso a {product}.",
  payWithCard: "Pagar con tarjeta",
  payWithOther: "O pagar con otra tarjeta",
  pay: "Pagar {amount}",
  busy: "Un momento: se está realizando el pago.",
  processingTitle: "Su pago se está procesando",
  consent: `Al pagar, autoriza a {seller} a cobrar en esta tarjeta los demás importes pendientes y los pagos
    posteriores hasta que cancele la suscripción.`,
  consentHosted: `Al pagar, autoriza a {seller} a cobrar en la tarjeta que utilice los demás importes pendientes y los
    pagos posteriores hasta que cancele la suscripción.`,
} as const satisfies Translation["invoicePage"];
