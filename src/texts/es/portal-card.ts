import type { Translation } from "../translation.ts";

export const portalCard = {
  title: "Usar otra tarjeta",
  account: "La tarjeta se guardará en la cuenta de {person}.",
  note: "Ahora no se le cobrará nada, salvo las facturas pendientes, que se cobrarán en la tarjeta de inmediato.",
  save: "Guardar la tarjeta",
  saving: "Un momento: su tarjeta se está guardando.",
  consent: `Al guardar la tarjeta, autoriza a {seller} a cobrar en ella los importes pendientes y los pagos
    posteriores hasta que cancele la suscripción.`,
  impossibleTitle: "No es posible en este momento",
  no_provider: "El vendedor no puede aceptar tarjetas en este momento. Avise al vendedor, por favor.",
  payments_paused: "El vendedor no puede aceptar tarjetas en este momento. Vuelva a intentarlo dentro de unos minutos.",
  waiting: "Su tarjeta se está guardando. No se le cobra nada.",
  hosted: "Introduzca su tarjeta en la página siguiente. Después volverá a esta página.",
  confirm: "Su banco le pide que confirme el uso de su tarjeta. Después volverá a esta página.",
  failedTitle: "Su tarjeta no se ha guardado",
  otherWaits: "Se está guardando otra tarjeta. Vuelva a intentarlo dentro de un minuto.",
  tooManyTitle: "Demasiados intentos",
  tooMany: "Se han rechazado demasiadas tarjetas. Consulte a su banco y vuelva a intentarlo mañana.",
} as const satisfies Translation["portalCard"];
