import type { PaymentIntent, Session, SetupIntent } from "../payments/stripe/objects.ts";
import type { StripeServer } from "../payments/stripe/server.ts";
import type { CardName } from "./history.ts";

/** Cards at Stripe that behave as the sandbox's cards. Each one is another card, with a fingerprint of its own. */
export const NUMBERS: Record<CardName, string> = {
  pays: "4242424242424242",
  declined: "4000000000000002",
  // Stripe has no card that pays once. The bank begins to decline this one after the buyer has paid.
  failsLater: "5555555555554444",
  asksBuyer: "4000002760003184",
  // The answer of Stripe is lost, or the buyer never comes back from the page.
  answerLost: "4000056655665556",
};

/** The key of a card that a Customer gives without a purchase, in step `index` of a history. */
export const givenKey = (index: number) => `card_${index}`;
export const isGiven = (key: string) => key.startsWith("card_");

/** The Session of the provider's page at this address; null: the address is of a page of the bank. */
export function sessionAt({ book }: StripeServer, url: string): Session | null {
  const [, id] = /\/c\/pay\/([^/]+)$/.exec(new URL(url).pathname) ?? [];
  return (id && book.sessions.get(id)) || null;
}

export function intentOf({ book }: StripeServer, session: Session): PaymentIntent | SetupIntent | null {
  const { payment_intent: payment, setup_intent: setup } = session;
  return book.paymentIntents.get(payment ?? "") ?? book.setupIntents.get(setup ?? "") ?? null;
}

/** The bank declines the card of this page from now on, if it is such a card. */
export function turnCard(stripe: StripeServer, session: Session, card: CardName): void {
  if (card !== "failsLater") return;
  const method = intentOf(stripe, session)?.payment_method;
  if (!method) throw new Error(`${session.id} has no card`);
  stripe.operations.turnCard(method, "pm_card_chargeCustomerFail");
}

/** The answers to charges and refunds of the card `answerLost` are lost, for as long as the server runs. */
export function loseAnswers(stripe: StripeServer): void {
  const { book } = stripe;
  const isLost = (intent: string) => {
    const method = book.paymentIntents.get(intent)?.payment_method;
    return book.hidden.numbers.get(method ?? "") === NUMBERS.answerLost;
  };
  stripe.fault(
    ({ method, path, body }) => {
      const [, confirmed = ""] = /^\/v1\/payment_intents\/([^/]+)\/confirm$/.exec(path) ?? [];
      const refunded = path === "/v1/refunds" ? (new URLSearchParams(body).get("payment_intent") ?? "") : "";
      return method === "POST" && (isLost(confirmed) || isLost(refunded));
    },
    "after",
    Infinity,
  );
}
