import type { Translation } from "../translation.ts";

export const portalDisown = {
  title: "Sie kennen {product} nicht?",
  text: `{product} endet sofort, und {seller} sieht, dass Sie den Kauf nicht kennen. Ihnen wird nichts berechnet.
    Sie können das nicht rückgängig machen.`,
  refunds: "Frühere Zahlungen werden nicht automatisch erstattet.",
  submit: "{product} beenden",
} as const satisfies Translation["portalDisown"];
