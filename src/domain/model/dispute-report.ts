import type { Instant } from "../calendar.ts";
import type { Amount } from "../money.ts";
import type { DisputeReason } from "./dispute.ts";

/**
 * A dispute as a payment provider has it. `ref`: the provider's own id. `chargeKey`: the key of the disputed charge.
 * `inquiry`: the bank only asks, and no money has moved. `closed`: an inquiry ended, or a dispute was prevented,
 * without a move of money. A prevention that gave the buyer the money back is `lost`. `fee`: the provider's fee in
 * minor units of `feeCurrency`; null: unknown.
 */
export type DisputeReport = {
  ref: string;
  chargeKey: string;
  status: "inquiry" | "open" | "won" | "lost" | "closed";
  reason: DisputeReason;
  amount: Amount;
  currency: string;
  evidenceDueAt: Instant | null;
  fee: Amount | null;
  feeCurrency: string | null;
};
