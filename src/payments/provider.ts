import type { Instant } from "../domain/calendar.ts";
import type { Amount } from "../domain/money.ts";
import type { Card, Outcome } from "../domain/payment/outcome.ts";
import type { ProviderLimits } from "./limits.ts";

/**
 * The interface to a payment provider, and all that Billow knows about it. Each call that could charge carries a key
 * that Billow chose and committed before (rule D1). Two calls with one key make one charge, and `read` answers the
 * outcome of that charge.
 */
export type PaymentProvider = {
  readonly name: string;
  /** The provider's limits for one process. A call that the provider answers with 429 must throw ProviderBusy. */
  readonly limits: ProviderLimits;
  /**
   * Accepts card details typed on our page, if the provider allows this. Card details are neither stored nor logged.
   */
  acceptCard(organizationId: string, card: CardDetails): Promise<AcceptedCard>;
  /** Makes a card chargeable later without charging it now. */
  saveCard(request: SaveCard): Promise<Outcome>;
  /** Charges a card off-session, or in the presence of the buyer, so that the buyer can be asked to authenticate. */
  charge(request: Charge): Promise<Outcome>;
  /**
   * The outcome of the request with this key. `absent`: the provider never got this request, so it may be sent again.
   */
  read(organizationId: string, key: string): Promise<Outcome | { status: "absent" }>;
  /**
   * Cancels a charge or card save, and answers its final outcome. An outcome that is already final stays; otherwise the
   * outcome is `declined`. Afterwards the buyer can't pass the challenge any more. If the provider never got the
   * request, it refuses the request on arrival.
   */
  cancel(request: Charge | SaveCard): Promise<Outcome>;
  /** Gives back a part or the whole of a charge. Never answers `requires_action`. */
  refund(request: Refund): Promise<Outcome>;
};

/** Card details as typed: digits and spaces. `expMonth` 1–12, `expYear` four digits. */
export type CardDetails = { number: string; expMonth: number; expYear: number; cvc: string };

export type CardFault = {
  field: "number" | "expiry" | "cvc";
  code: "card_number_invalid" | "card_expired" | "cvc_invalid";
  message: string;
};
export type AcceptedCard = { card: Card } | { fault: CardFault };

/** `key`: 1–255 characters, the same in each repetition of a request. `returnUrl`: the page after a challenge. */
export type SaveCard = { organizationId: string; key: string; card: string; returnUrl: string };
export type Charge = SaveCard & { amount: Amount; currency: string; presence: "buyer" | "off_session" };
export type Refund = { organizationId: string; key: string; chargeKey: string; amount: Amount };

/** A charge in the provider's own book, to be compared with ours. */
export type BookedCharge = {
  organizationId: string;
  key: string;
  amount: Amount;
  currency: string;
  createdAt: Instant;
};
