import type { CardSnapshot } from "./payment.ts";

type NamedCard = Pick<CardSnapshot, "brand" | "last4">;

const BRANDS = new Map([
  ["visa", "Visa"],
  ["mastercard", "Mastercard"],
  ["amex", "American Express"],
  ["discover", "Discover"],
  ["diners", "Diners Club"],
  ["jcb", "JCB"],
  ["unionpay", "UnionPay"],
]);

/** The name of a brand, such as `Visa` for `visa`. The name of an unknown brand is the provider's word for it. */
export const brandName = (brand: string): string => BRANDS.get(brand) ?? brand;

/** A card as buyers know it: `Visa •••• 4242`. */
export function cardName({ brand, last4 }: NamedCard): string {
  return `${brandName(brand)} •••• ${last4}`;
}

/** As `cardName`, with hard spaces: no line of a narrow page or an e-mail ends within the name. */
export function unbrokenCardName(card: NamedCard): string {
  return cardName(card).replaceAll(" ", "\u00a0");
}

/** A text with hard spaces in the names of its cards. */
export const withUnbrokenCards = (text: string): string => text.replaceAll(" •••• ", "\u00a0••••\u00a0");
