import type { Translation } from "../translation.ts";

export const portalCard = {
  title: "Usar otra tarjeta",
  account: "La tarjeta se guardará en la cuenta de {person}.",
  noteOwed: "El importe pendiente de {amount} se cobrará de inmediato en esta tarjeta, igual que los próximos pagos.",
  noteLater: "Ahora no se le cobrará nada. Los próximos pagos se cobrarán en esta tarjeta.",
  noteUnused: "Ahora no se le cobrará nada y no hay ningún cobro previsto.",
  save: "Guardar la tarjeta",
  saving: "Un momento: su tarjeta se está guardando.",
  consent: `Al guardar la tarjeta, autoriza a {seller} a cobrar en ella los importes pendientes y los pagos
    posteriores hasta que cancele la suscripción.`,
  impossibleTitle: "No es posible en este momento",
  no_provider: "El vendedor no puede aceptar tarjetas en este momento. Avise al vendedor, por favor.",
  payments_paused: "El vendedor no puede aceptar tarjetas en este momento. Vuelva a intentarlo dentro de unos minutos.",
  waiting: "Su tarjeta se está guardando. No se le cobra nada.",
  waitingOwed: "Su tarjeta se está guardando. Después se cobrará en ella el importe pendiente de {amount}.",
  hosted: "Introduzca los datos de su tarjeta en la página siguiente. Después volverá a esta página.",
  confirm: "Su banco le pide que confirme el uso de su tarjeta. Después volverá a esta página.",
  failedTitle: "Su tarjeta no se ha guardado",
  otherWaits: "Se está guardando otra tarjeta. Vuelva a intentarlo dentro de un minuto.",
  tooManyTitle: "Demasiados intentos",
  tooMany: "Se han rechazado demasiadas tarjetas. Consulte a su banco y vuelva a intentarlo mañana.",
} as const satisfies Translation["portalCard"];
