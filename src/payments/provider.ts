import type { Instant } from "../domain/calendar.ts";
import type { Amount } from "../domain/money.ts";

/**
 * What Billow asks of whoever moves the money, and all it knows about them. Each call that could charge carries a key that Billow
 * chose and committed before (rule D1): asking twice with one key is one charge, and `read` tells what became of it.
 */
export type PaymentProvider = {
  readonly name: string;
  /** Takes card details typed on our page, for providers whose cards may be typed there. They are neither stored nor logged. */
  acceptCard(organizationId: string, card: CardDetails): Promise<AcceptedCard>;
  /** Makes a card chargeable later without charging it now. */
  saveCard(request: SaveCard): Promise<Outcome>;
  /** Charges a card, in the buyer's presence (who can be asked to authenticate) or off-session. */
  charge(request: Charge): Promise<Outcome>;
  /** What became of the request with this key; `absent` when the provider never got it, so that it may be sent again. */
  read(organizationId: string, key: string): Promise<Outcome | { status: "absent" }>;
  /**
   * Gives up a charge or card save, and answers what is final: what was done already, else `declined`. Afterwards nobody can pass its
   * challenge and, where the provider never got it, it is refused when it arrives.
   */
  cancel(request: Charge | SaveCard): Promise<Outcome>;
  /** Gives back a part or the whole of a charge; `requires_action` is no answer to it. */
  refund(request: Refund): Promise<Outcome>;
};

/** As typed: digits and spaces. `expMonth` 1–12, `expYear` four digits. */
export type CardDetails = { number: string; expMonth: number; expYear: number; cvc: string };

/**
 * What may be shown of a card, and `ref`, the provider's name for it. `fingerprint` is the same whenever the same card is given, and tells
 * nothing of the card's number.
 */
export type Card = { ref: string; fingerprint: string; type: "card"; brand: string; last4: string; expMonth: number; expYear: number };

export type CardFault = {
  field: "number" | "expiry" | "cvc";
  code: "card_number_invalid" | "card_expired" | "cvc_invalid";
  message: string;
};
export type AcceptedCard = { card: Card } | { fault: CardFault };

/** `key`: 1–255 characters, the same for every attempt at the same thing. `returnUrl`: where a challenge leads back to. */
export type SaveCard = { organizationId: string; key: string; card: string; returnUrl: string };
export type Charge = SaveCard & { amount: Amount; currency: string; presence: "buyer" | "off_session" };
export type Refund = { organizationId: string; key: string; chargeKey: string; amount: Amount };

/** `unknown`: a time-out, a 5xx, a lost connection. The charge may or may not have been made; only `read` may tell (rule D2). */
export type Outcome =
  { status: "succeeded" } | { status: "declined"; code: DeclineCode } | { status: "requires_action"; url: string } | { status: "unknown" };

export type DeclineCode =
  | "card_declined"
  | "insufficient_funds"
  | "card_expired"
  | "processing_error"
  | "authentication_failed"
  | "canceled"
  | "card_lost"
  | "card_stolen"
  | "account_closed";

/** Why a payment failed: as the provider said, or since Billow did not ask it (rule D6). */
export type FailureCode = DeclineCode | "card_disputed";

/** The bank will not change its mind about this card (rule D3). */
export const HARD_DECLINES: ReadonlySet<FailureCode> = new Set<DeclineCode>(["card_lost", "card_stolen", "account_closed"]);

/** The words for a buyer, for each way a payment can fail. */
export const DECLINE_MESSAGES: Record<FailureCode, string> = {
  card_declined: "The card was declined. Try another card or ask your bank.",
  insufficient_funds: "The card has not enough funds. Try another card.",
  card_expired: "The card has expired. Try another card.",
  processing_error: "The bank could not process the card just now. Nothing was charged; try again.",
  authentication_failed: "The payment was not authenticated. Nothing was charged; try again or use another card.",
  canceled: "The payment was given up. Nothing was charged.",
  card_lost: "The card was declined. Try another card.",
  card_stolen: "The card was declined. Try another card.",
  account_closed: "The card was declined. Try another card.",
  card_disputed: "The bank reversed an earlier payment with this card, so the card is charged again only when you pay with it yourself.",
};

/** A charge as the provider's own book has it, to be held against ours. */
export type BookedCharge = { organizationId: string; key: string; amount: Amount; currency: string; createdAt: Instant };
