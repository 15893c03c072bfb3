import type { Instant } from "../calendar.ts";
import type { LotPart, SourcePart } from "./credit-source.ts";
import { leftOf, type LineCredit } from "./line-credit.ts";
import { lineTotal, type Buyer, type InvoiceLine, type Party } from "./invoice.ts";
import type { Locale } from "../locale.ts";
import { allocate, multiplyDivide, sumOf, type Amount } from "../money.ts";
import type { Subscription } from "./subscription.ts";
import type { LineTax } from "../tax/tax.ts";
import type { RefundFailureCode } from "./refund-failure.ts";

export type RefundStatus = "pending" | "succeeded" | "failed" | "unknown";
export type RefundTarget = "card" | "balance";
/** `invoice`: an invoice is given back. `balance`: credit is paid out to the card that it came from (rule I7). */
export type RefundPurpose = "invoice" | "balance";
/** `provider`: the refund was made at the payment provider, outside of Billow (rule I9). */
export type RefundOrigin = "billow" | "provider";

/**
 * The refunded part of one invoice line, in minor units; `amount` includes `taxAmount`. `freed`: credit of the invoice
 * that the refund gave back to the lines of other invoices (rule I3g).
 */
export type RefundLine = { invoiceLineId: string; amount: Amount; taxAmount: Amount; freed?: Amount };

/** A part of an invoice's own credit that a refund gave back; `lineId`: the line of the invoice with that credit. */
export type FreedPart = SourcePart & { lineId: string };

/**
 * A source of a refund to the balance. `own`: money that was taken for the invoice. `netted`: credit among the lines of
 * the invoice that no refund of its price can free (rule I3b).
 */
export type RefundSource = LotPart & { own: boolean; netted?: true };

/** Money of a paid invoice that is given back, or credit that is paid out. */
export type Refund = {
  organizationId: string;
  id: string;
  purpose: RefundPurpose;
  origin: RefundOrigin;
  /** Null for a payout of credit. */
  invoiceId: string | null;
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
  /** The part of `amount` that was taken off the balance. No credit note covers this part. */
  fromBalance: Amount;
  /** The parts of lots that `fromBalance` used. */
  taken: LotPart[];
  freed: FreedPart[];
  /** The sources of a refund to the balance. */
  sources: RefundSource[];
  /**
   * The amount by which the refund lowered the paid rate of the Subscription's period `periodNumber`; undone if the
   * refund fails.
   */
  rateLowered: Amount;
  periodNumber: number | null;
  creditNoteId: string | null;
  /** The provider's own id of the refund; null: the provider has not reported the refund. */
  providerRef: string | null;
  /** Null for a refund that has not failed, and for failures from before reasons were kept. */
  failureCode: RefundFailureCode | null;
  failedAt: Instant | null;
  /** Whether the refund failed after it had succeeded (rule I8). The sale stays given back. */
  failedLate: boolean;
  /** The instant of the next call to the provider, in real time. */
  checkAt: Instant | null;
  checks: number;
  /** The instant of the first final outcome. A later failure leaves this instant unchanged. */
  settledAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/**
 * Whether a refund gives back its invoice. A refund that fails at once gives no money back. A refund that fails late
 * has given the sale back: its money is on the balance (rule I8).
 */
export const isStanding = ({ status, failedLate }: Pick<Refund, "status" | "failedLate">): boolean =>
  status !== "failed" || failedLate;

/** Whether a refund has succeeded, even if it failed later: its effects on the invoice and the grants stay. */
export const hasGivenBack = ({ status, failedLate }: Pick<Refund, "status" | "failedLate">): boolean =>
  status === "succeeded" || failedLate;

/** The fields of a refund that the provider has not reported, and that has not failed. */
export const NOT_FAILED = { providerRef: null, failureCode: null, failedAt: null, failedLate: false } as const;

/** The part of a refund that gives back an invoice. A credit note covers this part. */
export const soldBack = ({ amount, fromBalance }: Pick<Refund, "amount" | "fromBalance">): Amount =>
  amount - fromBalance;

/** `amount` excludes the tax that comes on top of prices, as on an invoice. `amount` of a `RefundLine` includes it. */
export type CreditNoteLine = Omit<RefundLine, "freed"> &
  Pick<InvoiceLine, "description" | "productId" | "periodStart" | "periodEnd"> & { tax: LineTax | null };

/**
 * A refund that failed late, with the part of its credit that is still on the balance (minor units, rule I8).
 */
export type LateRefund = { id: string; failedAt: Instant; currency: string; remaining: number };

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
  /** The invoice's (rule I2b). */
  locale: Locale | null;
  lines: CreditNoteLine[];
  subtotalAmount: Amount;
  taxAmount: Amount;
  taxIncludedAmount: Amount;
  totalAmount: Amount;
  seller: Party;
  buyer: Buyer;
  createdAt: Instant;
};

/** The lines that standing refunds give back. */
export function refundedLines<Line>(
  refunds: readonly (Pick<Refund, "status" | "failedLate"> & { lines: readonly Line[] })[],
): Line[] {
  return refunds.filter(isStanding).flatMap((refund) => refund.lines);
}

/** The parts of an invoice's funds that standing refunds have given back. */
export function fundedRefunds(
  refunds: readonly Pick<Refund, "status" | "failedLate" | "to" | "amount" | "fromBalance" | "sources">[],
): { own: Amount; credit: SourcePart[]; netted: SourcePart[] } {
  const standing = refunds.filter(isStanding);
  const toCard = standing.filter(({ to }) => to === "card").map(soldBack);
  const parts = standing.flatMap(({ sources }) => sources);
  return {
    own: sumOf([...toCard, ...parts.filter(({ own }) => own).map(({ amount }) => amount)]),
    credit: parts.filter(({ own, netted }) => !own && !netted),
    netted: parts.filter(({ netted }) => netted),
  };
}

/** The part of an invoice's price that standing refunds have given back. */
export const pricePart = (
  refunds: readonly Pick<Refund, "status" | "failedLate" | "amount" | "fromBalance" | "sources">[],
): Amount =>
  sumOf(
    refunds
      .filter(isStanding)
      .flatMap((refund) => [
        soldBack(refund),
        ...refund.sources.filter(({ netted }) => netted).map(({ amount }) => -amount),
      ]),
  );

/**
 * Shares a refund out over the billed lines, in proportion to the amount left of each. Each line's tax is in
 * proportion to its refunded part (rule I3n).
 * `freed`: the credit that the refund gives back to other lines; this credit is shared
 * out in proportion to the parts. `before`: earlier refunds; `credits`: credits of these lines. A line that is refunded
 * in full gives back its whole tax.
 * @throws RangeError for an amount above the sum that is left of all lines
 */
export function allocateRefund(
  lines: readonly InvoiceLine[],
  before: readonly RefundLine[],
  credits: readonly LineCredit[],
  amount: Amount,
  freed: Amount = 0,
): RefundLine[] {
  const billed = lines.filter((line) => lineTotal(line) > 0);
  const given = billed.map(({ id }) => {
    const parts = before.filter(({ invoiceLineId }) => invoiceLineId === id);
    return { amount: sumOf(parts.map((part) => part.amount)), taxAmount: sumOf(parts.map((part) => part.taxAmount)) };
  });
  const left = billed.map((line) => Math.max(leftOf(line, before, credits), 0));
  if (amount + freed > sumOf(left)) throw new RangeError("more is to be given back than is left");
  const wholes = allocate(amount + freed, left);
  const frees = allocate(freed, wholes);
  return billed.flatMap((line, n) => {
    if (wholes[n] === 0) return [];
    const part = wholes[n]! - frees[n]!;
    // The tax counts from all refunds so far, so that many small refunds give back the tax of one large refund.
    const due = multiplyDivide(line.taxAmount, given[n]!.amount + part, lineTotal(line)) - given[n]!.taxAmount;
    const shown = { invoiceLineId: line.id, amount: part, taxAmount: Math.min(Math.max(due, 0), part) };
    return [frees[n]! > 0 ? { ...shown, freed: frees[n]! } : shown];
  });
}

/** The refunded part of the price: the refund without the tax that came on top of the price. */
function netOf({ amount, taxAmount }: RefundLine, { tax }: Pick<InvoiceLine, "tax">): Amount {
  return tax?.inclusive ? amount : amount - taxAmount;
}

/** The part of a line's price for a part of its total, both in minor units. */
function priceOfPart(part: Amount, line: InvoiceLine): Amount {
  return line.tax?.inclusive ? part : part - multiplyDivide(line.taxAmount, part, lineTotal(line));
}

/**
 * The amount by which a refund lowers the paid rate (rule P): the refunded part of the line that the rate comes from,
 * as if that line had billed the whole period. A line that a change has credited no longer determines the rate.
 */
export function rateLoweredBy(
  refunded: readonly RefundLine[],
  before: readonly RefundLine[],
  rateLine: InvoiceLine | null,
  { currentPeriodStart: start, currentPeriodEnd: end }: Pick<Subscription, "currentPeriodStart" | "currentPeriodEnd">,
): Amount {
  const part = refunded.find(({ invoiceLineId }) => invoiceLineId === rateLine?.id);
  if (!part || !rateLine) return 0;
  const whole = (given: Pick<RefundLine, "amount" | "freed">) => given.amount + (given.freed ?? 0);
  const given = sumOf(before.filter(({ invoiceLineId }) => invoiceLineId === rateLine.id).map(whole));
  const net = priceOfPart(given + whole(part), rateLine) - priceOfPart(given, rateLine);
  return multiplyDivide(net, end - start, end - rateLine.periodStart!);
}

type CreditNoteParts = Pick<CreditNote, "lines" | "subtotalAmount" | "taxAmount" | "taxIncludedAmount" | "totalAmount">;

/** The content of a refund's credit note: its lines as the invoice has them, and their totals. */
export function creditNoteOf(refunded: readonly RefundLine[], lines: readonly InvoiceLine[]): CreditNoteParts {
  const noted = refunded
    .filter(({ amount }) => amount > 0)
    .map((part): CreditNoteLine => {
      const { invoiceLineId, taxAmount } = part;
      const line = lines.find(({ id }) => id === invoiceLineId);
      if (!line) throw new Error(`the invoice has no line ${invoiceLineId}`);
      const { description, productId, periodStart, periodEnd, tax } = line;
      const shown = { description, productId, periodStart, periodEnd, tax };
      return { invoiceLineId, amount: netOf(part, line), taxAmount, ...shown };
    });
  return {
    lines: noted,
    subtotalAmount: sumOf(noted.map(({ amount }) => amount)),
    taxAmount: sumOf(noted.map(({ taxAmount }) => taxAmount)),
    taxIncludedAmount: sumOf(noted.map(({ tax, taxAmount }) => (tax?.inclusive ? taxAmount : 0))),
    totalAmount: sumOf(refunded.map(({ amount }) => amount)),
  };
}
