import { realNow } from "../../../src/clock.ts";
import type { AcceptedCard, CardDetails, Charge } from "../../../src/payments/provider.ts";
import { recognizeCard, type Behavior } from "../../../src/payments/sandbox-cards.ts";
import { cardOf } from "../../../src/payments/stripe/sessions.ts";
import { makePaymentMethod } from "../../payments/stripe/customers.ts";
import type { Seen } from "../../payments/stripe/faults.ts";
import type { PaymentIntent } from "../../payments/stripe/objects.ts";
import type { Site } from "./site.ts";

/** The test card at Stripe that behaves as ours. The rest of a behaviour is played below. */
const TOKENS: Record<Behavior, string> = {
  pays: "pm_card_visa",
  card_declined: "pm_card_visa_chargeDeclined",
  insufficient_funds: "pm_card_visa_chargeDeclinedInsufficientFunds",
  card_expired: "pm_card_chargeDeclinedExpiredCard",
  fails_later: "pm_card_chargeCustomerFail",
  authenticates: "pm_card_authenticationRequired",
  processing_error: "pm_card_chargeDeclinedProcessingError",
  refund_fails: "pm_card_refundFail",
  answer_lost: "pm_card_visa",
  account_refused: "pm_card_visa",
  charge_refused: "pm_card_visa",
  processing: "pm_card_visa",
  // No number is typed for this one: the bank ends a card by detaching it.
  card_gone: "pm_card_visa_chargeDeclinedLostCard",
};

/** Takes a typed test card as a PaymentMethod with the typed number, which behaves as Stripe's test card does. */
export function acceptCard(site: Site, typed: CardDetails): AcceptedCard {
  const recognized = recognizeCard(typed, realNow());
  if ("fault" in recognized) return recognized;
  const { number, behavior } = recognized.known;
  const card = { number: number.replaceAll(" ", ""), token: "", brand: "visa" } as const;
  const method = makePaymentMethod(site.stripe.book, card, typed);
  site.stripe.operations.turnCard(method.id, TOKENS[behavior]);
  site.cards.set(method.id, behavior);
  if (behavior === "answer_lost") site.stripe.fault((seen) => moves(site, seen, method.id), "after", Infinity);
  if (behavior === "charge_refused")
    site.stripe.fault((seen) => charges(seen, method.id), "amount too large", Infinity);
  return { card: cardOf({ ...method, livemode: site.stripe.book.livemode })! };
}

const charges = ({ method, path, body }: Seen, card: string) =>
  method === "POST" && path === "/v1/payment_intents" && new URLSearchParams(body).get("payment_method") === card;

/** True for the confirmation of an intent with this card, and for a refund to the card. */
function moves({ stripe: { book } }: Site, { method, path, body }: Seen, card: string): boolean {
  if (method !== "POST") return false;
  const [, confirmed] = /^\/v1\/(?:payment|setup)_intents\/(\w+)\/confirm$/.exec(path) ?? [];
  const id = confirmed ?? (path === "/v1/refunds" ? new URLSearchParams(body).get("payment_intent") : null) ?? "";
  return (book.paymentIntents.get(id) ?? book.setupIntents.get(id))?.payment_method === card;
}

/** The PaymentIntent of a key. A lost answer may leave a second one, which is never confirmed. */
export function intentOf({ stripe: { book } }: Site, key: string): PaymentIntent | undefined {
  const found = [...book.paymentIntents.values()].filter(({ metadata }) => metadata["billow_key"] === key);
  return found.find(({ status }) => status !== "requires_confirmation") ?? found[0];
}

/** Prepares the account for a charge whose card behaves in a way that no test card of Stripe has. */
export function beforeCharge(site: Site, { key, card, presence }: Charge): void {
  const { operations } = site.stripe;
  const behavior = site.cards.get(card ?? "");
  if (behavior === "fails_later") {
    operations.turnCard(card!, presence === "buyer" ? TOKENS.pays : TOKENS.fails_later);
  }
  if (behavior === "processing" && intentOf(site, key) === undefined) operations.processNext();
  if (behavior === "account_refused" && !site.refused.has(key)) {
    site.refused.add(key);
    refuseAll(site);
  }
}

/** The account may not charge until `accept`. */
function refuseAll(site: Site): void {
  const { operations, fault } = site.stripe;
  site.accept();
  operations.restrictAccount();
  // Stripe makes refunds for such an account. The built-in provider makes none, and the stories tell of this.
  const refunds = fault("POST /v1/refunds", "not activated", Infinity);
  site.accept = () => {
    refunds.lift();
    operations.liftRestriction();
  };
}
