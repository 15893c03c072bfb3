import type { Instant } from "../calendar.ts";

export type Balance = { currency: string; amount: number };

/** What moves a balance: invoices, their end, money that came for a void one, refunds, an operator, the Customer's deletion. */
export const BALANCE_REASONS = ["invoice", "invoice_voided", "unapplied_payment", "refund", "adjustment", "written_off"] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];

/** Why a balance moved, and how far: positive in the Customer's favour. */
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
