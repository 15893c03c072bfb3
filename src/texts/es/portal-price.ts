import type { Translation } from "../translation.ts";

export const portalPrice = {
  title: "Nuevo precio de {product}",
  before: "Hasta entonces",
  asked: `Su suscripción solo continúa a este precio si usted lo acepta. De lo contrario, termina el {day} y no se le
    volverá a cobrar.`,
  agree: "Aceptar el nuevo precio",
  keep: "Ahora no",
  missing: "{product} termina el {day} si no acepta el nuevo precio",
  missingText: "El nuevo precio es de {price}.",
  see: "Ver el nuevo precio",
  ends: "Termina el {day} si no acepta el nuevo precio.",
  agreedOn: "Usted aceptó el nuevo precio el {day}.",
  changed: "El precio ha cambiado. Compruébelo de nuevo.",
} as const satisfies Translation["portalPrice"];
