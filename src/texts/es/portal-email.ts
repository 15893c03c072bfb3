import type { Translation } from "../translation.ts";

export const portalEmail = {
  section: "Correo electrónico",
  change: "Cambiar el correo electrónico",
  confirmAwaited: "Para usar {email}, abra el enlace que hemos enviado a esa dirección.",
  withdraw: "Conservar la dirección actual",
  title: "Cambiar su correo electrónico",
  current: "Su dirección actual es {email}.",
  label: "Nuevo correo electrónico",
  same: "Su cuenta ya usa esta dirección.",
  send: "Enviar un enlace de confirmación",
  sentTitle: "Revise su correo",
  sent: `Le estamos enviando un enlace a {email}. Ábralo en un plazo de {hours, plural, one {una hora}
    other {# horas}} para confirmar la dirección. Hasta entonces, se mantiene su dirección actual.`,
  noMail: "¿No le ha llegado el mensaje al cabo de unos minutos? Mire en la carpeta de correo no deseado o {again}.",
  again: "vuelva a intentarlo",
  tooManyTitle: "Demasiadas solicitudes",
  tooMany: "Ha pedido varios enlaces. Espere una hora y vuelva a intentarlo.",
  confirmTitle: "Confirmar su correo electrónico",
  confirm: `Su cuenta de {seller} usará {email} para iniciar sesión y para los recibos y demás mensajes. Después
    tendrá que volver a iniciar sesión con esta dirección.`,
  confirmSubmit: "Confirmar esta dirección",
  changedTitle: "Se ha cambiado su correo electrónico",
  changed: "A partir de ahora, inicie sesión con su nueva dirección. Hemos avisado del cambio a su dirección anterior.",
  signIn: "Iniciar sesión",
  takenTitle: "No se puede usar esta dirección",
  taken:
    "Esta dirección no se puede usar en la cuenta, que conserva su dirección actual. Si tiene otra cuenta con esta " +
    "dirección, inicie sesión en ella.",
  goneTitle: "Este enlace ya no funciona",
  gone:
    "Un enlace de confirmación es válido durante {hours, plural, one {una hora} other {# horas}}, funciona una sola " +
    "vez y caduca si pide otra dirección. Puede obtener un enlace nuevo en su cuenta.",
  undoTitle: "¿Deshacer el cambio de correo electrónico?",
  undo:
    "Su cuenta de {seller} recuperará la dirección {email}. Se cerrarán todas las sesiones y los enlaces " +
    "pendientes dejarán de funcionar.",
  undoSubmit: "Deshacer el cambio",
  undoneTitle: "Ha recuperado su dirección anterior",
  undone:
    "El cambio se ha deshecho y se han cerrado todas las sesiones. Inicie sesión con su dirección anterior para " +
    "revisar su cuenta.",
  undoGone: `El cambio ya se ha deshecho o ha vencido el plazo de {days, plural, one {un día} other {# días}} para
    deshacerlo. Si necesita ayuda, póngase en contacto con {seller}.`,
} as const satisfies Translation["portalEmail"];
