import type { Translation } from "../translation.ts";

export const signIn = {
  title: "Iniciar sesión",
  intro: "Consulte sus suscripciones y facturas. Le enviamos un enlace, así que no necesita contraseña.",
  send: "Enviar enlace",
  sentTitle: "Revise su correo",
  sent: `Si hay una cuenta de {seller} con esa dirección, recibirá un mensaje con un enlace. El enlace es válido
    durante {minutes, plural, one {# minuto} other {# minutos}} y funciona una sola vez.`,
  missing: "¿No le ha llegado el mensaje al cabo de unos minutos? Mire en la carpeta de correo no deseado o {another}.",
  another: "pruebe con otra dirección",
  as: "Va a iniciar sesión como {person}.",
  signedInAs: "Ha iniciado sesión como {person}.",
  insteadAs: "En cambio, con este enlace iniciará sesión como {person}.",
  stay: "Mantener la sesión actual",
  goneTitle: "Este enlace ya no es válido",
  gone: `Un enlace funciona una sola vez y durante poco tiempo. Vuelva atrás y abra su cuenta de nuevo, o pida aquí
    otro enlace.`,
} as const satisfies Translation["signIn"];
