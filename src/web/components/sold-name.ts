import { html } from "hono/html";
import type { Units } from "../../domain/model/quantity.ts";
import { unitsAtTotal, unitsOf } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";

/** A Product with the total of its units. */
export type Sold = Units & { productName: string; amount: number; currency: string };

/** The Product with its units: `Team, 5 seats × US$12.00`. One unit without a noun: the Product alone (rule Q5). */
export function soldName(words: Words, sold: Sold): Html {
  const units = unitsAtTotal(words, sold, sold.currency);
  const product = html`<bdi>${sold.productName}</bdi>`;
  return units === null ? product : words.document.units.markup({ product, units });
}

/** As `soldName`, as a plain text. */
export function plainSoldName(words: Words, sold: Sold): string {
  const units = unitsAtTotal(words, sold, sold.currency);
  return units === null ? sold.productName : words.document.units({ product: sold.productName, units });
}

/** As `soldName` without the price: `Team, 5 seats`. */
export function countedName(words: Words, { productName, ...counted }: Units & { productName: string }): Html {
  const product = html`<bdi>${productName}</bdi>`;
  if (counted.quantity === 1 && counted.unitName === null) return product;
  return words.document.units.markup({ product, units: unitsOf(words, counted) });
}
