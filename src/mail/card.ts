import type { Words } from "../texts/words.ts";
import type { EmailContent } from "./email-content.ts";

/** A card that expires. */
export type ExpiringFacts = {
  /** The name of the brand: `Visa`. */
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  /** The names of the Products that would be charged to the card later. */
  products: string[];
  /** The page on which the buyer gives another card. */
  url: string;
};

export function cardExpiring(facts: ExpiringFacts, { mailPayment: said, month, list }: Words): EmailContent {
  const { brand, last4, expMonth, expYear, products, url } = facts;
  const expiry = { brand, last4, month: month(expYear, expMonth), products: list(products) };
  return {
    subject: said.expiringSubject({ last4 }),
    heading: said.expiringTitle,
    blocks: [{ text: said.expiring(expiry) }, { text: said.expiringBank }, { label: said.updateCard, url }],
  };
}
