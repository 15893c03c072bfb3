import type { Translation } from "../translation.ts";

export const portalCancel = {
  title: "¿Cancelar {product}?",
  until: "Conservará {product} hasta el {day}. No se le volverá a cobrar.",
  untilLast: "Conservará {product} hasta el {day}. Ese día habrá un último cobro de {amount}, por un cambio anterior.",
  untilOwed: "Conservará {product} hasta el {day} si paga el importe pendiente de {amount}. No habrá más pagos.",
  trial: "Su prueba gratuita de {product} continuará hasta el {day}. No se le cobrará nada.",
  suspended: "Su suscripción a {product} terminará el {day}. No se le cobrará ningún otro periodo.",
  now: "{product} terminará de inmediato. Sus facturas pendientes se anularán y no podrá deshacerlo.",
  lose: "Después perderá:",
  undo: "Puede deshacerlo antes de ese día.",
  why: "¿Por qué quiere cancelar?",
  too_expensive: "Es demasiado caro",
  missing_features: "Le falta algo que necesito",
  switched_service: "Ahora uso otra cosa",
  unused: "No lo uso lo suficiente",
  customer_service: "La atención al cliente no fue buena",
  low_quality: "No funciona lo bastante bien",
  too_complex: "Es demasiado complicado",
  other: "Otro motivo",
  submit: "Cancelar el {day}",
  submitNow: "Cancelar ahora",
  keep: "Conservar {product}",
  busyTitle: "No es posible en este momento",
  busy: `Hay otra operación en curso en esta suscripción. Su suscripción no ha cambiado. Vuelva a intentarlo dentro de
    unos minutos.`,
} as const satisfies Translation["portalCancel"];
