import type { Instant } from "../calendar.ts";
import type { Amount } from "../money.ts";

/**
 * A refund as a payment provider has it. `ref`: the provider's own id. `key`: the id of our refund; null: the refund
 * was made outside of Billow. `chargeKey`: the key of the refunded charge. A refund that succeeded may still fail
 * weeks later. `failureCode`: the provider's reason of a failed refund.
 */
export type RefundFact = {
  ref: string;
  key: string | null;
  chargeKey: string;
  status: "processing" | "succeeded" | "failed";
  amount: Amount;
  currency: string;
  failureCode: string | null;
  createdAt: Instant;
};
