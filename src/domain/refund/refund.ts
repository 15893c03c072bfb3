import type { Instant } from "../calendar.ts";
import { creditedElsewhere, leftOf, type LineCredit } from "../invoice/credit.ts";
import { lineTotal, type Invoice, type InvoiceLine, type Party } from "../invoice/invoice.ts";
import { allocate, multiplyDivide, sumOf, type Amount } from "../money.ts";
import type { Subscription } from "../subscription/subscription.ts";
import type { LineTax } from "../tax/tax.ts";

export type RefundStatus = "pending" | "succeeded" | "failed" | "unknown";
export type RefundTarget = "card" | "balance";

/** The refunded part of one invoice line, in minor units; `amount` includes `taxAmount`. */
export type RefundLine = { invoiceLineId: string; amount: Amount; taxAmount: Amount };

/** Money of a paid invoice that is given back. */
export type Refund = {
  organizationId: string;
  id: string;
  invoiceId: string;
  customerId: string;
  /** The refunded charge; null: the refund goes to the balance. */
  paymentId: string | null;
  status: RefundStatus;
  amount: Amount;
  taxAmount: Amount;
  currency: string;
  to: RefundTarget;
  reason: string | null;
  revokeGrants: boolean;
  lines: RefundLine[];
  /**
   * The amount by which the refund lowered the paid rate of the Subscription's period `periodNumber`; undone if the
   * refund fails.
   */
  rateLowered: Amount;
  periodNumber: number | null;
  creditNoteId: string | null;
  /** The instant of the next call to the provider, in real time. */
  checkAt: Instant | null;
  checks: number;
  settledAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** `amount` excludes the tax that comes on top of prices, as on an invoice. `amount` of a `RefundLine` includes it. */
export type CreditNoteLine = RefundLine &
  Pick<InvoiceLine, "description" | "productId" | "periodStart" | "periodEnd"> & { tax: LineTax | null };

/** The document of a successful refund (rule I3k); it never changes. */
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

/** The lines that refunds give back. A refund that failed gives nothing back. */
export function refundedLines<Line>(refunds: readonly { status: Refund["status"]; lines: readonly Line[] }[]): Line[] {
  return refunds.filter(({ status }) => status !== "failed").flatMap((refund) => refund.lines);
}

/**
 * The amounts given back of a paid invoice: refunds, amounts `disputed` by banks, and `credits` of its lines by
 * changes of the Product.
 */
export type GivenBack = {
  refunds: readonly Pick<Refund, "status" | "amount">[];
  disputed: Amount;
  credits: readonly LineCredit[];
};

/**
 * The most that can be refunded of a paid invoice (rules I3a, D5, P10): the amount that was taken for the invoice, at
 * most its total, less refunds that did not fail, less amounts that a bank took back, and less later credits of its
 * lines. The part that the balance settled was not taken. A debt that the invoice collected was not part of the
 * price. Held credit on the invoice did not lower the price: the balance got that credit (rule D7).
 */
export function refundable(
  { amountPaid, totalAmount, balanceBasis }: Pick<Invoice, "amountPaid" | "totalAmount" | "balanceBasis">,
  { refunds, disputed, credits }: GivenBack,
): Amount {
  const refunded = refunds.filter(({ status }) => status !== "failed").map(({ amount }) => amount);
  const price = totalAmount + (balanceBasis?.held ?? 0);
  return Math.max(Math.min(amountPaid, price) - sumOf(refunded) - disputed - creditedElsewhere(credits), 0);
}

/**
 * Shares a refund out over the billed lines, in proportion to the amount left of each. Each line's tax is in
 * proportion to its refunded part. `before`: earlier refunds; `credits`: credits of these lines. A line that is
 * refunded in full gives back its whole tax.
 * @throws RangeError for an amount above the sum that is left of all lines
 */
export function allocateRefund(
  lines: readonly InvoiceLine[],
  before: readonly RefundLine[],
  credits: readonly LineCredit[],
  amount: Amount,
): RefundLine[] {
  const billed = lines.filter((line) => lineTotal(line) > 0);
  const given = billed.map(({ id }) => {
    const parts = before.filter(({ invoiceLineId }) => invoiceLineId === id);
    return { amount: sumOf(parts.map((part) => part.amount)), taxAmount: sumOf(parts.map((part) => part.taxAmount)) };
  });
  const left = billed.map((line) => Math.max(leftOf(line, before, credits), 0));
  if (amount > sumOf(left)) throw new RangeError("more is to be given back than is left");
  const parts = allocate(amount, left);
  return billed.flatMap((line, n) => {
    const part = parts[n]!;
    if (part === 0) return [];
    // The tax counts from all refunds so far, so that many small refunds give back the tax of one large refund.
    const due = multiplyDivide(line.taxAmount, given[n]!.amount + part, lineTotal(line)) - given[n]!.taxAmount;
    return [{ invoiceLineId: line.id, amount: part, taxAmount: Math.min(Math.max(due, 0), part) }];
  });
}

/** The refunded part of the price: the refund without the tax that came on top of the price. */
function netOf({ amount, taxAmount }: RefundLine, { tax }: Pick<InvoiceLine, "tax">): Amount {
  return tax?.inclusive ? amount : amount - taxAmount;
}

/**
 * The amount by which a refund lowers the paid rate (rule P): the refunded part of the line that the rate comes from,
 * as if that line had billed the whole period. A line that a change has credited no longer determines the rate.
 */
export function rateLoweredBy(
  refunded: readonly RefundLine[],
  rateLine: InvoiceLine | null,
  { currentPeriodStart: start, currentPeriodEnd: end }: Pick<Subscription, "currentPeriodStart" | "currentPeriodEnd">,
): Amount {
  const part = refunded.find(({ invoiceLineId }) => invoiceLineId === rateLine?.id);
  return part && rateLine ? multiplyDivide(netOf(part, rateLine), end - start, end - rateLine.periodStart!) : 0;
}

type CreditNoteParts = Pick<CreditNote, "lines" | "subtotalAmount" | "taxAmount" | "taxIncludedAmount" | "totalAmount">;

/** The content of a refund's credit note: its lines as the invoice has them, and their totals. */
export function creditNoteOf(refunded: readonly RefundLine[], lines: readonly InvoiceLine[]): CreditNoteParts {
  const noted = refunded.map((part): CreditNoteLine => {
    const line = lines.find(({ id }) => id === part.invoiceLineId);
    if (!line) throw new Error(`the invoice has no line ${part.invoiceLineId}`);
    const { description, productId, periodStart, periodEnd, tax } = line;
    return { ...part, amount: netOf(part, line), description, productId, periodStart, periodEnd, tax };
  });
  return {
    lines: noted,
    subtotalAmount: sumOf(noted.map(({ amount }) => amount)),
    taxAmount: sumOf(noted.map(({ taxAmount }) => taxAmount)),
    taxIncludedAmount: sumOf(noted.map(({ tax, taxAmount }) => (tax?.inclusive ? taxAmount : 0))),
    totalAmount: sumOf(refunded.map(({ amount }) => amount)),
  };
}
