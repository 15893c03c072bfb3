import type { CardSnapshot } from "./payment.ts";

type NamedCard = Pick<CardSnapshot, "brand" | "last4">;

const BRANDS: Record<string, string> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" };

/** The brand as buyers know it: `American Express`. */
export const brandName = ({ brand }: Pick<CardSnapshot, "brand">) => BRANDS[brand] ?? brand;

/** A card as buyers know it: `Visa •••• 4242`. */
export function cardName({ brand, last4 }: NamedCard): string {
  return `${brandName({ brand })} •••• ${last4}`;
}

/** As `cardName`, with hard spaces: no line of a narrow page or an e-mail ends within the name. */
export function unbrokenCardName(card: NamedCard): string {
  return cardName(card).replaceAll(" ", "\u00a0");
}
