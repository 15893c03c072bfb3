import type { Translation } from "../translation.ts";

export const portalDisown = {
  title: "¿No reconoce {product}?",
  text: `{product} termina de inmediato y {seller} ve que usted no reconoce la compra. No se le cobrará nada. Esta
    acción no se puede deshacer.`,
  refunds: "Los pagos anteriores no se reembolsan automáticamente.",
  submit: "Terminar {product}",
} as const satisfies Translation["portalDisown"];
