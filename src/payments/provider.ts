import type { Instant } from "../domain/calendar.ts";
import type { Amount } from "../domain/money.ts";
import type { Card, Outcome } from "../domain/payment/outcome.ts";
import type { ProviderLimits } from "./limits.ts";

/**
 * What Billow asks of whoever moves the money, and all it knows about them. Each call that could charge carries a key that Billow
 * chose and committed before (rule D1): asking twice with one key is one charge, and `read` tells what became of it.
 */
export type PaymentProvider = {
  readonly name: string;
  /** How much it takes from one process. A call beyond that, which it answers with 429, is to throw ProviderBusy. */
  readonly limits: ProviderLimits;
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

/** A charge as the provider's own book has it, to be held against ours. */
export type BookedCharge = { organizationId: string; key: string; amount: Amount; currency: string; createdAt: Instant };
