import type { Instant } from "../calendar.ts";

export type Balance = { currency: string; amount: number };

/**
 * The causes that move a balance: an invoice, its voiding, money that arrived for a void invoice, a refund, an
 * operator, the Customer's deletion.
 */
export const BALANCE_REASONS = [
  "invoice",
  "invoice_voided",
  "unapplied_payment",
  "refund",
  "adjustment",
  "written_off",
] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];

/** One movement of a balance; `amount` is positive in the Customer's favour. */
export type BalanceEntry = {
  organizationId: string;
  id: string;
  customerId: string;
  currency: string;
  amount: number;
  reason: BalanceReason;
  /** The operator's own words. */
  note: string | null;
  invoiceId: string | null;
  createdAt: Instant;
};
