import type { Translation } from "../translation.ts";

export const mailCardRequest = {
  subject: "{product}: añada una tarjeta antes del {day}",
  title: "Añada una tarjeta antes del {day}",
  moved: `{seller} gestiona ahora su suscripción a {product} con un nuevo sistema de facturación. Su tarjeta no se ha
    podido trasladar.`,
} as const satisfies Translation["mailCardRequest"];
