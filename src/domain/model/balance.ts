import type { Amount } from "../money.ts";
import type { Instant } from "../calendar.ts";
import type { LotPart, Source } from "./credit-source.ts";

export type Balance = { currency: string; amount: number };
/** `held`: the part of the balance that can't be spent, because a dispute holds it back (rule D7). */
export type HeldBalance = Balance & { held: number };

/**
 * The causes that move a balance: an invoice, its voiding, money that arrived for a void invoice, a refund, an
 * operator, the Customer's deletion, a payout and its failure, a lost dispute, a refund that failed late.
 */
export const BALANCE_REASONS = [
  "invoice",
  "invoice_voided",
  "unapplied_payment",
  "refund",
  "adjustment",
  "written_off",
  "paid_out",
  "payout_failed",
  "dispute_lost",
  "refund_failed",
] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];

/** One movement of a balance; `amount` is positive in the Customer's favour. An entry above zero is a lot (rule I6). */
export type BalanceEntry = {
  organizationId: string;
  id: string;
  customerId: string;
  currency: string;
  amount: Amount;
  /**
   * The part of the amount that still counts. Above zero: the part of a lot that is left. Below zero: a debt, the part
   * of the entry that found no lot. The balance is the sum of these parts.
   */
  remaining: Amount;
  reason: BalanceReason;
  /** Null for an entry below zero. */
  source: Source["source"] | null;
  paymentId: string | null;
  creditedLineId: string | null;
  /** The operator's own words. */
  note: string | null;
  invoiceId: string | null;
  refundId: string | null;
  createdAt: Instant;
};

/** An entry above zero. */
export type Lot = BalanceEntry & Source;

export const isLot = (entry: BalanceEntry): entry is Lot => entry.source !== null;

/** The part that is left of a lot. */
export const partOf = ({ source, paymentId, creditedLineId, remaining }: Lot): LotPart => ({
  source,
  paymentId,
  creditedLineId,
  amount: remaining,
});
