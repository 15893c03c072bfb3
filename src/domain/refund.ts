import type { Instant } from "./calendar.ts";
import { lineTotal, type Invoice, type InvoiceLine, type Party } from "./invoice.ts";
import { allocate, multiplyDivide, type Amount } from "./money.ts";
import type { Subscription } from "./subscription.ts";
import type { LineTax } from "./tax.ts";

export type RefundStatus = "pending" | "succeeded" | "failed" | "unknown";
export type RefundTarget = "card" | "balance";

/** What is given back of one line of an invoice, in minor units; the tax in `amount` is `taxAmount`. */
export type RefundLine = { invoiceLineId: string; amount: Amount; taxAmount: Amount };

/** Money of a paid invoice that is given back. */
export type Refund = {
  organizationId: string;
  id: string;
  invoiceId: string;
  customerId: string;
  /** The charge that it gives back from; null: it goes to the balance. */
  paymentId: string | null;
  status: RefundStatus;
  amount: Amount;
  taxAmount: Amount;
  currency: string;
  to: RefundTarget;
  reason: string | null;
  revokeGrants: boolean;
  lines: RefundLine[];
  /** By how much it lowered what the Subscription's period of this number was billed at; undone when it fails. */
  rateLowered: Amount;
  periodNumber: number | null;
  creditNoteId: string | null;
  /** Real time: when the provider is to be called or asked. */
  checkAt: Instant | null;
  checks: number;
  settledAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** `amount` is before tax that comes on top, as on an invoice. */
export type CreditNoteLine = RefundLine &
  Pick<InvoiceLine, "description" | "productId" | "periodStart" | "periodEnd"> & { tax: LineTax | null };

/** The document of a refund that succeeded (rule I3); never changed. */
export type CreditNote = {
  organizationId: string;
  id: string;
  number: string;
  customerId: string;
  invoiceId: string;
  invoiceNumber: string;
  refundId: string;
  currency: string;
  lines: CreditNoteLine[];
  subtotalAmount: Amount;
  taxAmount: Amount;
  taxIncludedAmount: Amount;
  totalAmount: Amount;
  seller: Party;
  buyer: Party;
  createdAt: Instant;
};

const sum = (amounts: readonly Amount[]) => amounts.reduce((running, amount) => running + amount, 0);

/**
 * What may still be given back of a paid invoice: what was taken for it, at most its total, less all refunds but those that failed, and
 * less what a bank took back (rules I3, D5). What its balance settled was never taken, and a debt that it collected was not its price.
 */
export function refundable(
  { amountPaid, totalAmount }: Pick<Invoice, "amountPaid" | "totalAmount">,
  refunds: readonly Pick<Refund, "status" | "amount">[],
  disputed: Amount,
): Amount {
  const held = refunds.filter(({ status }) => status !== "failed").map(({ amount }) => amount);
  return Math.max(Math.min(amountPaid, totalAmount) - sum(held) - disputed, 0);
}

/**
 * Shares a refund out over the lines that were billed, in proportion to what is left of each, with each line's tax in proportion to
 * what is given back of it. `before`: what was given back already. Given back whole, a line gives back its whole tax.
 * @throws RangeError when more is to be given back than is left of all lines
 */
export function allocateRefund(lines: readonly InvoiceLine[], before: readonly RefundLine[], amount: Amount): RefundLine[] {
  const billed = lines.filter((line) => lineTotal(line) > 0);
  const given = billed.map(({ id }) => {
    const parts = before.filter(({ invoiceLineId }) => invoiceLineId === id);
    return { amount: sum(parts.map((part) => part.amount)), taxAmount: sum(parts.map((part) => part.taxAmount)) };
  });
  const left = billed.map((line, n) => lineTotal(line) - given[n]!.amount);
  if (amount > sum(left)) throw new RangeError("more is to be given back than is left");
  const parts = allocate(amount, left);
  return billed.flatMap((line, n) => {
    const part = parts[n]!;
    if (part === 0) return [];
    // Counted from all that was given back, so that many small refunds give back the tax that one large one does.
    const due = multiplyDivide(line.taxAmount, given[n]!.amount + part, lineTotal(line)) - given[n]!.taxAmount;
    return [{ invoiceLineId: line.id, amount: part, taxAmount: Math.min(Math.max(due, 0), part) }];
  });
}

/** What of a refund counts against prices: tax that comes on top of them is left out. */
function netOf({ amount, taxAmount }: RefundLine, { tax }: Pick<InvoiceLine, "tax">): Amount {
  return tax?.inclusive ? amount : amount - taxAmount;
}

/**
 * By how much a refund lowers what the period in progress was billed at (rule P): what it gives back of lines that bill this period up to
 * its end, as if they had billed the whole of it. That may be more than is left of it, after an earlier change: what is left is never cut
 * off here, so that it does not matter in which order several are given back, fail or are disputed.
 */
export function rateLoweredBy(
  refunded: readonly RefundLine[],
  lines: readonly InvoiceLine[],
  { currentPeriodStart: start, currentPeriodEnd: end }: Pick<Subscription, "currentPeriodStart" | "currentPeriodEnd">,
): Amount {
  const lowered = refunded.map((part) => {
    const line = lines.find(({ id }) => id === part.invoiceLineId);
    if (!line || line.periodStart === null || line.periodStart < start || line.periodEnd !== end) return 0;
    return multiplyDivide(netOf(part, line), end - start, end - line.periodStart);
  });
  return sum(lowered);
}

type CreditNoteParts = Pick<CreditNote, "lines" | "subtotalAmount" | "taxAmount" | "taxIncludedAmount" | "totalAmount">;

/** What the credit note of a refund says: its lines as the invoice has them, and what they come to. */
export function creditNoteOf(refunded: readonly RefundLine[], lines: readonly InvoiceLine[]): CreditNoteParts {
  const noted = refunded.map((part): CreditNoteLine => {
    const line = lines.find(({ id }) => id === part.invoiceLineId);
    if (!line) throw new Error(`the invoice has no line ${part.invoiceLineId}`);
    const { description, productId, periodStart, periodEnd, tax } = line;
    return { ...part, amount: netOf(part, line), description, productId, periodStart, periodEnd, tax };
  });
  return {
    lines: noted,
    subtotalAmount: sum(noted.map(({ amount }) => amount)),
    taxAmount: sum(noted.map(({ taxAmount }) => taxAmount)),
    taxIncludedAmount: sum(noted.map(({ tax, taxAmount }) => (tax?.inclusive ? taxAmount : 0))),
    totalAmount: sum(refunded.map(({ amount }) => amount)),
  };
}
