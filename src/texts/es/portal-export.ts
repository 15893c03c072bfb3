import type { Translation } from "../translation.ts";

export const portalExport = {
  title: "Copia de sus datos",
  about: "Descargue en un solo archivo los datos de su cuenta con {seller}.",
  holds: `El archivo contiene sus datos personales, sus tarjetas sin los números, sus suscripciones, pedidos,
    facturas, pagos, accesos y correos, y un registro de todos los cambios.`,
  format: "Otros programas pueden leer el archivo (JSON). Sus facturas en PDF están en su cuenta.",
  secret: "No comparta el archivo. Sus enlaces abren sus facturas y puede contener claves que usted ha comprado.",
  download: "Descargar sus datos",
} as const satisfies Translation["portalExport"];
