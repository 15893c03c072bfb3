import type { Translation } from "../translation.ts";

export const mailEmailChange = {
  confirmSubject: "Confirme su correo electrónico para {seller}",
  confirmTitle: "Confirme su correo electrónico",
  confirm: "Ha pedido usar esta dirección en su cuenta de {seller}. Confirme que es suya.",
  confirmLink: "Confirmar esta dirección",
  confirmOnce:
    "{hours, plural, one {El enlace es válido durante una hora y funciona una sola vez.} other {El enlace es " +
    "válido durante # horas y funciona una sola vez.}}",
  confirmIgnore:
    "Si no lo ha pedido usted, puede ignorar este correo. Sin su confirmación, la dirección no se utilizará.",
  confirmReason: "Ha recibido este correo porque alguien ha indicado esta dirección para una cuenta de {seller}.",
  changedSubject: "Se ha cambiado su correo electrónico en {seller}",
  changedTitle: "Se ha cambiado su correo electrónico",
  changed: "Su cuenta de {seller} usa ahora la dirección {address}. Ya no recibirá aquí los mensajes de esa cuenta.",
  changedIgnore: "Si ha hecho usted el cambio, no tiene que hacer nada.",
  changedUndo:
    "Si no ha sido usted, deshaga el cambio en un plazo de {days, plural, one {un día} other {# días}}. Su cuenta " +
    "recuperará esta dirección y se cerrarán todas las sesiones.",
  undoLink: "Deshacer el cambio",
} as const satisfies Translation["mailEmailChange"];
