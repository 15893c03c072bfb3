import type { Translation } from "../translation.ts";

export const mailPrice = {
  subject: "El precio de {product} cambia el {day}",
  title: "El precio de su suscripción cambia",
  notice: "El precio de {product} cambia el {day}. Hasta entonces, usted paga el precio actual.",
  before: "Hasta entonces",
  inUnits: "{price} ({units})",
  goesOn: "No tiene que hacer nada para continuar.",
  consent: `Su suscripción solo continúa a este precio si usted lo acepta. De lo contrario, termina el {day} y no se le
    volverá a cobrar.`,
  agree: "Ver el nuevo precio",
  reminderSubject: "{product} termina el {day} si no acepta el nuevo precio",
  reminderTitle: "Su suscripción termina el {day} si no acepta el nuevo precio",
  reminder: "A partir del {day}, {product} tiene un nuevo precio, y usted aún no lo ha aceptado.",
  ended: `Su suscripción a {product} finalizó el {day} porque usted no aceptó el nuevo precio. También ha finalizado su
    acceso.`,
} as const satisfies Translation["mailPrice"];
