import type { Instant } from "./calendar.ts";
import type { Address, TaxId } from "./organization.ts";
import type { Metadata } from "./product.ts";

export type InvoiceStatus = "open" | "paid" | "void";
export type InvoiceReason = "checkout" | "renewal" | "product_change";
/** Buyer or seller as they were when the invoice was made (rule I2). */
export type Party = { name: string | null; email: string | null; address: Address | null; taxId: TaxId | null };

export type InvoiceLine = {
  organizationId: string;
  id: string;
  /** Null while the line waits for the Subscription's next invoice. */
  invoiceId: string | null;
  subscriptionId: string | null;
  position: number;
  description: string;
  productId: string;
  /** Minor units; a credit is negative. */
  amount: number;
  discountAmount: number;
  taxAmount: number;
  proration: boolean;
  periodStart: Instant | null;
  periodEnd: Instant | null;
};

export type Invoice = {
  organizationId: string;
  id: string;
  number: string;
  status: InvoiceStatus;
  reason: InvoiceReason;
  customerId: string;
  subscriptionId: string | null;
  checkoutId: string | null;
  periodNumber: number | null;
  currency: string;
  subtotalAmount: number;
  discountAmount: number;
  taxAmount: number;
  totalAmount: number;
  /** What the balance settled of the total; negative when the invoice fed the balance. */
  balanceApplied: number;
  amountDue: number;
  amountPaid: number;
  refundedAmount: number;
  seller: Party;
  buyer: Party;
  periodStart: Instant | null;
  periodEnd: Instant | null;
  nextAttemptAt: Instant | null;
  paidAt: Instant | null;
  voidedAt: Instant | null;
  metadata: Metadata;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** What a line says before it is on an invoice. */
export type LineDraft = Pick<InvoiceLine, "description" | "productId" | "amount" | "proration" | "periodStart" | "periodEnd">;

export type Totals = Pick<Invoice, "subtotalAmount" | "discountAmount" | "taxAmount" | "totalAmount" | "balanceApplied" | "amountDue">;

/**
 * Totals are sums of rounded lines (rule M2); what the balance settles is taken off (rule M4). `balance` is the Customer's, or 0 where
 * it may not be used. A total below zero feeds the balance whole; a remainder under the minimum charge moves there as a debt (rule M5).
 */
export function totalsOf(lines: readonly { amount: number }[], balance: number, minimum: number): Totals {
  const subtotalAmount = lines.reduce((sum, line) => sum + line.amount, 0);
  const totalAmount = subtotalAmount;
  const used = totalAmount <= 0 ? totalAmount : Math.min(balance, totalAmount);
  const left = totalAmount - used;
  const balanceApplied = left > 0 && left < minimum ? totalAmount : used;
  return { subtotalAmount, discountAmount: 0, taxAmount: 0, totalAmount, balanceApplied, amountDue: totalAmount - balanceApplied };
}

/** A full period (or a one-time Product) at its price. */
export function fullLine(product: { id: string; name: string }, amount: number, span: { start: Instant; end: Instant } | null): LineDraft {
  return {
    description: product.name,
    productId: product.id,
    amount,
    proration: false,
    periodStart: span?.start ?? null,
    periodEnd: span?.end ?? null,
  };
}
