import type { Translation } from "../translation.ts";

export const portalDisown = {
  title: "Vous ne reconnaissez pas {product} ?",
  text: `{product} se termine immédiatement, et {seller} voit que vous ne reconnaissez pas cet achat. Aucun montant
    ne vous sera débité. Cette action est irréversible.`,
  refunds: "Les paiements déjà effectués ne sont pas remboursés automatiquement.",
  submit: "Mettre fin à {product}",
} as const satisfies Translation["portalDisown"];
