import type { Instant } from "../calendar.ts";
import { discountBasis, discountOn, type BilledSpan, type DiscountBasis, type HeldDiscount } from "../discount/discount.ts";
import type { Address } from "../tax/address.ts";
import type { TaxId } from "../tax/tax-id.ts";
import type { Metadata } from "../catalogue/product.ts";
import { billedLine, taxOf, type LineTax, type TaxRate } from "../tax/tax.ts";

export type InvoiceStatus = "open" | "paid" | "void";
export type InvoiceReason = "checkout" | "renewal" | "product_change";
/** Buyer or seller as they were when the invoice was made (rule I2). */
export type Party = { name: string | null; email: string | null; address: Address | null; taxId: TaxId | null };
/** What events show in place of a buyer who is deleted; the documents keep theirs (rule I5). */
export const BLANK_PARTY: Party = { name: null, email: null, address: null, taxId: null };

/**
 * What a line's amount was computed from, kept with it. `period`: the price of a whole period (or of a one-time Product), from which
 * `discount` was taken off, and the tax in it as well where the line's tax is `takenOut` (rule X3). `credit` and `debit`: the part of
 * `rate`, minor units a whole period, that the rest of the period from `from` is worth (rule P). `most`: so much of the billed line was
 * left, where that is less than the part (rule P10). `passed`: the part of `amount`, which was computed from `of`, for what of its span had
 * passed `until` the Subscription ended at once (rule S4).
 */
export type LineBasis =
  | { kind: "period"; price: number; discount: DiscountBasis | null }
  | { kind: "credit" | "debit"; rate: number; from: Instant; periodStart: Instant; periodEnd: Instant; most?: number }
  | { kind: "passed"; amount: number; from: Instant; until: Instant; periodEnd: Instant; of: LineBasis | null };

/**
 * The balance that could be used when an invoice was made, in the Customer's favour when positive, and the least that is charged (rules
 * M4, M5). `held`: credit on the invoice itself that can't be spent (rule D7); absent where there is none.
 */
export type BalanceBasis = { balance: number; minimum: number; held?: number };

export type InvoiceLine = {
  organizationId: string;
  id: string;
  /** Null while the line waits for the Subscription's next invoice. */
  invoiceId: string | null;
  subscriptionId: string | null;
  position: number;
  description: string;
  productId: string;
  /** Minor units; a credit is negative. Without the tax that the price contains where the line's tax is `takenOut`. */
  amount: number;
  discountAmount: number;
  taxAmount: number;
  /** The rate that it bears; null: none. */
  tax: LineTax | null;
  proration: boolean;
  periodStart: Instant | null;
  periodEnd: Instant | null;
  /** Null on lines from before it was kept. */
  basis: LineBasis | null;
  /** The billed line that a proration credit gives back (rule P10); null for other lines, and where that line can't be told. */
  creditedLineId: string | null;
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
  /** The part of the tax that is inside the prices; the rest comes on top. */
  taxIncludedAmount: number;
  totalAmount: number;
  /** What the balance settled of the total; negative when the invoice fed the balance. */
  balanceApplied: number;
  balanceBasis: BalanceBasis | null;
  amountDue: number;
  amountPaid: number;
  refundedAmount: number;
  seller: Party;
  buyer: Party;
  periodStart: Instant | null;
  periodEnd: Instant | null;
  nextAttemptAt: Instant | null;
  paidAt: Instant | null;
  /** Whether it was paid without a payment provider, and what the operator noted of that. */
  paidOutside: boolean;
  paymentNote: string | null;
  voidedAt: Instant | null;
  voidReason: string | null;
  metadata: Metadata;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** A line before it is on an invoice: complete but for its place. */
export type LineDraft = Omit<InvoiceLine, "organizationId" | "id" | "invoiceId" | "subscriptionId" | "position">;

export type Totals = Pick<
  Invoice,
  "subtotalAmount" | "discountAmount" | "taxAmount" | "taxIncludedAmount" | "totalAmount" | "balanceApplied" | "balanceBasis" | "amountDue"
>;

export type LineAmounts = Pick<InvoiceLine, "amount" | "discountAmount" | "taxAmount" | "tax">;

/** What a line comes to: its price less discount, and the tax that is not inside it. */
export function lineTotal({ amount, discountAmount, taxAmount, tax }: LineAmounts): number {
  return amount - discountAmount + (tax?.inclusive ? 0 : taxAmount);
}

/**
 * Totals are sums of rounded lines (rule M2); what the balance settles is taken off (rule M4). `balance` is the Customer's, or 0 where
 * it may not be used. A total below zero feeds the balance whole; a remainder under the minimum charge moves there as a debt (rule M5).
 * `held` of the credit among the lines can't be spent (rule D7): it feeds the balance, and the rest is to be paid.
 */
export function totalsOf(lines: readonly LineAmounts[], balance: number, minimum: number, held = 0): Totals {
  const sum = (of: (line: LineAmounts) => number) => lines.reduce((running, line) => running + of(line), 0);
  const totalAmount = sum(lineTotal);
  const toSettle = totalAmount + held;
  const used = toSettle <= 0 ? totalAmount : Math.min(balance, toSettle) - held;
  const left = totalAmount - used;
  const balanceApplied = left > 0 && left < minimum ? totalAmount : used;
  return {
    subtotalAmount: sum((line) => line.amount),
    discountAmount: sum((line) => line.discountAmount),
    taxAmount: sum((line) => line.taxAmount),
    taxIncludedAmount: sum((line) => (line.tax?.inclusive ? line.taxAmount : 0)),
    totalAmount,
    balanceApplied,
    balanceBasis: held === 0 ? { balance, minimum } : { balance, minimum, held },
    amountDue: totalAmount - balanceApplied,
  };
}

/** Of a void invoice: what had waited for it waits again, where it is in the Customer's favour as a whole (rule S5). */
export function linesThatWaitAgain<Line extends LineAmounts & Pick<LineDraft, "proration">>(lines: readonly Line[]): Line[] {
  const waited = lines.filter((line) => line.proration);
  return waited.reduce((sum, line) => sum + lineTotal(line), 0) < 0 ? waited : [];
}

type Sale = { id: string; name: string; price: number };

/** A full period, or a one-time Product (`span` null): price, discount and tax (rules X1, X3). */
export function fullLine(
  product: Sale,
  span: BilledSpan | null,
  terms: { discount: HeldDiscount | null; tax: LineTax | null },
): LineDraft {
  const { id: productId, name: description, price } = product;
  const billed = billedLine(price, discountOn(terms.discount, { productId, price }, span), terms.tax);
  const discount = discountBasis(terms.discount, { productId, price }, span);
  return {
    description,
    productId,
    ...billed,
    taxAmount: taxOf(billed.amount - billed.discountAmount, terms.tax),
    tax: terms.tax,
    proration: false,
    periodStart: span?.start ?? null,
    periodEnd: span?.end ?? null,
    basis: { kind: "period", price, discount },
    creditedLineId: null,
  };
}

export type RateTotal = TaxRate & { taxableAmount: number; taxAmount: number };

/** What the lines come to for each rate they bear, without the tax, and the tax (rule X3); in the order the rates appear. */
export function taxesOf(lines: readonly LineAmounts[]): RateTotal[] {
  const totals = new Map<string, RateTotal>();
  for (const { amount, discountAmount, taxAmount, tax } of lines) {
    if (!tax) continue;
    const { country, region, basisPoints, inclusive, name, reverseCharge } = tax;
    const rate = { country, region, basisPoints, inclusive, name, reverseCharge };
    const key = JSON.stringify(rate);
    const total = totals.get(key) ?? { ...rate, taxableAmount: 0, taxAmount: 0 };
    const taxable = amount - discountAmount - (tax.inclusive ? taxAmount : 0);
    totals.set(key, { ...total, taxableAmount: total.taxableAmount + taxable, taxAmount: total.taxAmount + taxAmount });
  }
  return [...totals.values()];
}
