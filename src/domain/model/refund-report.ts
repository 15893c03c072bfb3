import type { Instant } from "../calendar.ts";
import type { Amount } from "../money.ts";
import type { RefundFailureCode } from "./refund-failure.ts";

/**
 * A refund as a payment provider has it. `ref`: the provider's own id. `key`: the id of our refund; null: the refund
 * was made outside of Billow. `chargeKey`: the key of the refunded charge. A refund that succeeded may still fail
 * weeks later. `failureCode`: the reason of a failed refund, which the adapter maps to ours; null: not failed, or
 * unknown.
 */
export type RefundReport = {
  ref: string;
  key: string | null;
  chargeKey: string;
  status: "processing" | "succeeded" | "failed";
  amount: Amount;
  currency: string;
  failureCode: RefundFailureCode | null;
  createdAt: Instant;
};
