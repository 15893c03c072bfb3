import type { Instant } from "../calendar.ts";
import { creditedElsewhere, leftOf, type LineCredit } from "../invoice/credit.ts";
import { lineTotal, type Invoice, type InvoiceLine, type Party } from "../invoice/invoice.ts";
import { allocate, multiplyDivide, type Amount } from "../money.ts";
import type { Subscription } from "../subscription/subscription.ts";
import type { LineTax } from "../tax/tax.ts";

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

/** The document of a refund that succeeded (rule I3k); never changed. */
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

/** The amounts given back of a paid invoice: `disputed` by banks, and `credits` of its lines by changes of the Product. */
export type GivenBack = { refunds: readonly Pick<Refund, "status" | "amount">[]; disputed: Amount; credits: readonly LineCredit[] };

/**
 * The most that can be refunded of a paid invoice: what was taken for it, at most its total, less refunds that did not fail, less what a
 * bank took back, and less what later changes credited of its lines (rules I3a, D5, P10). Money that its balance settled was not taken for
 * it, and a debt that it collected was not its price. Credit on it that was held did not lower its price: the balance got that credit (D7).
 */
export function refundable(
  { amountPaid, totalAmount, balanceBasis }: Pick<Invoice, "amountPaid" | "totalAmount" | "balanceBasis">,
  { refunds, disputed, credits }: GivenBack,
): Amount {
  const refunded = refunds.filter(({ status }) => status !== "failed").map(({ amount }) => amount);
  const price = totalAmount + (balanceBasis?.held ?? 0);
  return Math.max(Math.min(amountPaid, price) - sum(refunded) - disputed - creditedElsewhere(credits), 0);
}

/**
 * Shares a refund out over the lines that were billed, in proportion to what is left of each, with each line's tax in proportion to
 * what is given back of it. `before`: what was given back already; `credits`: of these lines. Given back whole, a line gives back its
 * whole tax.
 * @throws RangeError when more is to be given back than is left of all lines
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
    return { amount: sum(parts.map((part) => part.amount)), taxAmount: sum(parts.map((part) => part.taxAmount)) };
  });
  const left = billed.map((line) => Math.max(leftOf(line, before, credits), 0));
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
 * By how much a refund lowers the paid rate (rule P): the part that it gives back of the line that the rate comes from, as if that line
 * had billed the whole period. Lines that a change has credited before bear no rate any more.
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
