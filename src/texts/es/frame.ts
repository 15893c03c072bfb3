import type { Translation } from "../translation.ts";

export const frame = {
  sandbox: "Entorno de pruebas",
  sandboxNote: "Aquí no se usa dinero real: no introduzca nunca una tarjeta real.",
  sandboxClock: "Fecha simulada: {day}.",
  sandboxMail: "Este es un entorno de pruebas: todos los correos se pueden ver también en {mailbox}.",
  sandboxMailbox: "el buzón de pruebas",
  optional: "opcional",
  errorTitle: "Error: {title}",
  checkFields: "Revise los datos introducidos",
  refresh: "Actualizar",
  back: "Volver a {seller}",
  onward: "Continuar a {seller}",
  person: "{name} ({email})",
  oneMoment: "Un momento, por favor",
  sentences: "{first} {second}",
} as const satisfies Translation["frame"];

export const problem = {
  incompleteTitle: "No hemos recibido sus datos",
  incomplete: "No hemos recibido sus datos tal como los escribió. Vuelva atrás y envíelos de nuevo.",
  foreignTitle: "Enviado desde otro sitio web",
  foreign:
    "Por su seguridad, solo aceptamos formularios de nuestras propias páginas. Abra de nuevo el enlace y use el " +
    "formulario de esa página.",
  notFoundTitle: "Página no encontrada",
  notFound:
    "No hay ninguna página en esta dirección. Compruebe que ha copiado el enlace completo o pida uno nuevo a quien " +
    "se lo envió.",
  methodTitle: "No es posible aquí",
  method: "Esta página no se puede usar de esa manera. Vuelva atrás o abra de nuevo el enlace.",
  goneTitle: "Este enlace ya no funciona",
  gone:
    "Los enlaces a archivos funcionan durante poco tiempo y solo mientras tenga acceso. Obtenga un enlace nuevo en " +
    "la página donde encontró este.",
  tooLargeTitle: "El texto es demasiado largo",
  tooLarge: "El texto supera la longitud permitida. Vuelva atrás y acórtelo.",
  notAFormTitle: "Use el formulario",
  notAForm: "Esta página solo acepta su propio formulario. Abra el enlace y rellene el formulario.",
  tooManyTitle: "Demasiados intentos",
  tooMany: "Espere un minuto y vuelva a intentarlo. El último intento no se ha llevado a cabo.",
  oursTitle: "Se ha producido un error",
  ours:
    "El error es nuestro. Si estaba pagando, actualice la página para ver el resultado del pago. No se le " +
    "cobrará dos veces.",
  unavailableTitle: "No disponible en este momento",
  unavailable:
    "Vuelva a intentarlo dentro de un momento. El error es nuestro. Si estaba pagando, actualice la página " +
    "para ver el resultado del pago. No se le cobrará dos veces.",
  returnOverTitle: "Esta página de pago se ha cerrado",
  returnOver: `Esta dirección lleva a la página de pago solo durante un tiempo limitado. Para ver el resultado, abra la
    página de {seller} o el enlace de su correo electrónico.`,
} as const satisfies Translation["problem"];
