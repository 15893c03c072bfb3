import type { Instant } from "../calendar.ts";
import type { Amount } from "../money.ts";
import type { DisputeReport } from "./dispute-report.ts";

/**
 * A refund or a dispute of a charge that another system made for a Customer. `ref`, `chargeRef`: the provider's ids.
 * `reason` and `evidenceDueAt`: of a dispute.
 */
export type EarlierReport = {
  ref: string;
  chargeRef: string;
  customerId: string;
  amount: Amount;
  currency: string;
} & (
  | { kind: "refund"; status: "pending" | "succeeded" | "failed"; reason: null; evidenceDueAt: null }
  | {
      kind: "dispute";
      status: DisputeReport["status"];
      reason: DisputeReport["reason"];
      evidenceDueAt: Instant | null;
    }
);
