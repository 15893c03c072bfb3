import type { Instant } from "../calendar.ts";
import type { Amount } from "../money.ts";
import { isCharge, type Payment } from "./payment.ts";
import type { Refund } from "./refund.ts";

/**
 * `inquiry`: the buyer's bank asks and has taken no money. `open`: the bank has taken the money back and has not
 * decided yet. `won`: the bank gave the money back. `lost`: the bank kept the money. `closed`: an inquiry ended.
 */
export type DisputeStatus = "inquiry" | "open" | "won" | "lost" | "closed";
export type DisputeOutcome = Exclude<DisputeStatus, "inquiry" | "open">;
/** The bank's decision on an open dispute. */
export type Decision = Exclude<DisputeOutcome, "closed">;

/** Whether the bank has the money of the dispute: the dispute is open or lost. */
export const isStanding = ({ status }: Pick<Dispute, "status">): boolean => status === "open" || status === "lost";

/** The reason that the buyer gave to the bank. */
export type DisputeReason =
  | "fraudulent"
  | "duplicate"
  | "not_received"
  | "not_as_described"
  | "subscription_canceled"
  | "refund_not_received"
  | "unrecognized"
  | "other";

export const isOver = ({ status }: Pick<Dispute, "status">): boolean => status !== "inquiry" && status !== "open";

/** A charge that a buyer's bank takes back (rule D5). */
export type Dispute = {
  organizationId: string;
  id: string;
  paymentId: string;
  invoiceId: string | null;
  subscriptionId: string | null;
  customerId: string;
  status: DisputeStatus;
  reason: DisputeReason;
  amount: Amount;
  currency: string;
  /** The provider's own id of the dispute; null for a dispute that a sandbox tool made. */
  providerRef: string | null;
  /** The instant until which the seller may send evidence. */
  evidenceDueAt: Instant | null;
  /** The provider's fee in minor units of `feeCurrency`; shown only, since the ledger has no account for fees. */
  fee: Amount | null;
  feeCurrency: string | null;
  closedAt: Instant | null;
  /**
   * The instant of a later payment with the same card in the buyer's presence. From this instant on the card is charged
   * off-session again (rule D6).
   */
  cardClearedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

type Given = Pick<Refund, "status" | "amount" | "paymentId">;

/**
 * The part of a charge that a bank can still take back: the charge less its refunds to the card, including unsettled
 * refunds (rule D5).
 */
export function disputable(
  { id, purpose, status, amount }: Pick<Payment, "id" | "purpose" | "status" | "amount">,
  refunds: readonly Given[],
): Amount {
  if (!isCharge({ purpose }) || status !== "succeeded") return 0;
  const given = refunds.filter((refund) => refund.paymentId === id && refund.status !== "failed");
  return given.reduce((left, refund) => left - refund.amount, amount);
}

/** The part of a paid invoice's charge that is disputed or lost. That part can't be refunded as well (rule I3a). */
export function disputedOf(disputes: readonly Pick<Dispute, "status" | "amount">[]): Amount {
  return disputes.filter(isStanding).reduce((sum, { amount }) => sum + amount, 0);
}
