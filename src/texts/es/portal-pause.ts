import type { Translation } from "../translation.ts";

export const portalPause = {
  title: "¿Reanudar {product}?",
  charge: "Ahora comienza un nuevo período, que dura hasta el {day}. Se cobrarán {amount} en {card}.",
  free: "Ahora comienza un nuevo período, que dura hasta el {day}. No se le cobrará nada.",
  back: "Recuperará su acceso en cuanto se haya realizado el pago.",
  noCard: "Un nuevo período cuesta {amount} y no hay ninguna tarjeta guardada. Añada primero una tarjeta.",
  submit: "Reanudar y pagar {amount}",
  submitFree: "Reanudar ahora",
  keep: "Seguir en pausa",
  changed: "El importe o la tarjeta ha cambiado. Compruébelo de nuevo, por favor.",
  pauses: "Se pausa el {day}.",
  pausesUntil: "Se pausa el {day}, hasta el {until}.",
  pausedUntil: "En pausa hasta el {until}. Antes no se le cobrará nada.",
  pausedOpen: "En pausa. No se le cobrará nada hasta que la reanude.",
  undo: "Anular la pausa",
  resume: "Reanudar la suscripción",
  cancelToo: "Con ello también se anula la pausa prevista.",
} as const satisfies Translation["portalPause"];
