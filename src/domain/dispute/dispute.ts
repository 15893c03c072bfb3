import type { Instant } from "../calendar.ts";
import type { LineCredit } from "../invoice/credit.ts";
import type { Invoice, InvoiceLine } from "../invoice/invoice.ts";
import type { Amount } from "../money.ts";
import { isCharge, type Payment } from "../payment/payment.ts";
import { allocateRefund, rateLoweredBy, refundable, type Refund } from "../refund/refund.ts";
import type { Subscription } from "../subscription/subscription.ts";

/** `open`: the buyer's bank has taken the money back until it has decided; `won`: it gave it back; `lost`: it kept it. */
export type DisputeStatus = "open" | "won" | "lost";
export type DisputeOutcome = Exclude<DisputeStatus, "open">;

/** What the buyer told their bank. */
export type DisputeReason =
  | "fraudulent"
  | "duplicate"
  | "not_received"
  | "not_as_described"
  | "subscription_canceled"
  | "refund_not_received"
  | "unrecognized"
  | "other";

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
  /** By how much losing it lowers what the Subscription's period of this number was billed at (rule P). */
  rateAtStake: Amount;
  periodNumber: number | null;
  closedAt: Instant | null;
  /** When the buyer paid with the card again in their own presence: since then it is charged off-session again (rule D6). */
  cardClearedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

type Given = Pick<Refund, "status" | "amount" | "lines" | "paymentId">;

/** What is left of a charge for a bank to take back: less what went back to the card already, or is on its way (rule D5). */
export function disputable(
  { id, purpose, status, amount }: Pick<Payment, "id" | "purpose" | "status" | "amount">,
  refunds: readonly Given[],
): Amount {
  if (!isCharge({ purpose }) || status !== "succeeded") return 0;
  const given = refunds.filter((refund) => refund.paymentId === id && refund.status !== "failed");
  return given.reduce((left, refund) => left - refund.amount, amount);
}

/** What of a paid invoice's charge is in dispute or lost: it can't be given back once more (rule I3a). */
export function disputedOf(disputes: readonly Pick<Dispute, "status" | "amount">[]): Amount {
  return disputes.filter(({ status }) => status !== "won").reduce((sum, { amount }) => sum + amount, 0);
}

/** An invoice with its lines, and what was given back of it. */
type DisputedBill = {
  invoice: Pick<Invoice, "amountPaid" | "totalAmount" | "balanceBasis">;
  lines: readonly InvoiceLine[];
  refunds: readonly Given[];
  credits: readonly LineCredit[];
};

/** By how much losing all that is left of its charge would lower the paid rate of the period in progress, as a refund of it would. */
export function rateAtStake(
  { invoice, lines, refunds, credits }: DisputedBill,
  rateLine: InvoiceLine | null,
  subscription: Pick<Subscription, "currentPeriodStart" | "currentPeriodEnd">,
): Amount {
  const given = refunds.filter(({ status }) => status !== "failed").flatMap((refund) => refund.lines);
  const left = refundable(invoice, { refunds, disputed: 0, credits });
  return rateLoweredBy(allocateRefund(lines, given, credits, left), rateLine, subscription);
}
