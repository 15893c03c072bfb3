import type { Charge, SaveCard } from "../../src/payments/provider.ts";
import { ORGANIZATION } from "./stripe-world.ts";

let keys = 0;

/** A card save with a key of its own; `card` null: on Stripe's page. */
export const saveOf = (card: string | null, parts: Partial<SaveCard> = {}): SaveCard => ({
  organizationId: ORGANIZATION,
  key: `pay_${++keys}`,
  card,
  customer: { id: "cus_conformance", email: "ada@example.com", name: "Ada" },
  description: "Acme: inv_1",
  page: card === null ? { article: "Pro", locale: null } : null,
  returnUrl: "https://shop.example/return",
  ...parts,
});

/** An off-session charge of 10 US dollars with a key of its own. */
export const chargeOf = (card: string | null, parts: Partial<Charge> = {}): Charge => ({
  ...saveOf(card),
  amount: 1000,
  currency: "usd",
  presence: "off_session",
  statement: "Acme",
  ...parts,
});

const TYPED = { cardExpiry: "12 / 40", cardCvc: "123" };

/** Types a card on the page of a Checkout Session. Answers the address to which the page leads, and its text. */
export async function payOnPage(url: string, cardNumber: string): Promise<{ location: string | null; text: string }> {
  const body = new URLSearchParams({ ...TYPED, cardNumber });
  const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
  return { location: answer.headers.get("location"), text: await answer.text() };
}
