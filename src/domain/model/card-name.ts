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

/** A card as buyers know it: `Visa •••• 4242`, with no-break spaces. */
export const cardName = ({ brand, last4 }: NamedCard): string =>
  `${brandName(brand)} •••• ${last4}`.replaceAll(" ", "\u00a0");
