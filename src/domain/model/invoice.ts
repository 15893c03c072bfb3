import type { LotPart, SourcePart } from "./credit-source.ts";
import type { Instant } from "../calendar.ts";
import type { FieldAnswer } from "./checkout-field.ts";
import { discountBasis, discountOn, type BilledSpan, type HeldDiscount } from "./discount.ts";
import { basisUnits, type LineBasis } from "./line-basis.ts";
import { descriptionOf, titleOf } from "./line-title.ts";
import type { Units } from "./quantity.ts";
import type { Locale } from "../locale.ts";
import type { Address } from "../tax/address.ts";
import type { TaxId } from "../tax/tax-id.ts";
import { chargedPart, type ChargeLimits } from "./charge-limits.ts";
import type { ChargeRefusal } from "./payment-outcome.ts";
import type { Metadata } from "./product.ts";
import { billedLine, taxOf, type LineTax, type TaxRate } from "../tax/tax.ts";

export type InvoiceStatus = "open" | "paid" | "void";
export type InvoiceReason = "checkout" | "renewal" | "product_change";
/** A seller as it was when the invoice was made (rule I2). */
export type Party = { name: string | null; email: string | null; address: Address | null; taxId: TaxId | null };
/** A buyer as they were then. `companyName`: absent on documents from before companies were kept. */
export type Buyer = Party & { companyName?: string | null };
/** The buyer that events show in place of a deleted one; documents keep their buyer (rule I5). */
export const BLANK_BUYER: Buyer = { name: null, companyName: null, email: null, address: null, taxId: null };

/**
 * The balance that an invoice could use when it was made, positive in the Customer's favour, and the provider's minimum
 * charge and step (rules M4, M5). `step`: absent for 1. `held`: held credit on the invoice itself (rule D7); absent for
 * 0.
 */
export type BalanceBasis = { balance: number; minimum: number; step?: number; held?: number };

/** The basis that is kept of a balance and of the provider's limits. */
export function basisOf(balance: number, { least, step }: ChargeLimits): BalanceBasis {
  return step === 1 ? { balance, minimum: least } : { balance, minimum: least, step };
}

/** Each amount is charged: for totals that use no balance. */
export const NO_LIMITS: ChargeLimits = { least: 0, step: 1 };

export type InvoiceLine = {
  organizationId: string;
  id: string;
  /** Null while the line waits for the Subscription's next invoice. */
  invoiceId: string | null;
  subscriptionId: string | null;
  position: number;
  /** English (rule I2c). */
  description: string;
  productId: string;
  /** The Product's name when the line was made; null on lines from before the name was kept. */
  productName: string | null;
  /** Minor units; a credit is negative. The contained tax is left out if the line's tax is `takenOut`. */
  amount: number;
  discountAmount: number;
  taxAmount: number;
  /** The rate of the line; null: the line bears no tax. */
  tax: LineTax | null;
  proration: boolean;
  periodStart: Instant | null;
  periodEnd: Instant | null;
  /** Null on lines from before the basis was kept. */
  basis: LineBasis | null;
  /**
   * The billed line that a proration credit gives back (rule P10). Null for other lines, or if the billed line is
   * unknown.
   */
  creditedLineId: string | null;
  /**
   * The sources of a credit (rule I6f), without the part that refunds have freed. Null for other lines, and for a
   * credit of a line that no money has paid yet.
   */
  sources: SourcePart[] | null;
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
  /** Whether the period began after a gap, because dunning had suspended the access (rule D8). */
  restarted: boolean;
  currency: string;
  /** The Customer's locale at the issue; null: the locale was not known (rule I2a). */
  locale: Locale | null;
  subtotalAmount: number;
  discountAmount: number;
  taxAmount: number;
  /** The part of the tax that the prices contain; the rest comes on top. */
  taxIncludedAmount: number;
  totalAmount: number;
  /** The part of the total that the balance settled; negative if the invoice added to the balance. */
  balanceApplied: number;
  balanceBasis: BalanceBasis | null;
  /** The lots that the invoice used; below zero, the parts that the invoice gave to the balance. Null: none. */
  balanceSources: LotPart[] | null;
  amountDue: number;
  amountPaid: number;
  refundedAmount: number;
  seller: Party;
  buyer: Buyer;
  periodStart: Instant | null;
  periodEnd: Instant | null;
  nextAttemptAt: Instant | null;
  /** The number of attempts that Billow began by itself; the keys of these attempts contain it (rule D1). */
  collections: number;
  /** Why the provider refused the charge: the open invoice waits for an operator (rule D9). */
  heldReason: ChargeRefusal | null;
  paidAt: Instant | null;
  /** Whether the invoice was paid without a payment provider; `paymentNote` is the operator's note on it. */
  paidOutside: boolean;
  paymentNote: string | null;
  voidedAt: Instant | null;
  voidReason: string | null;
  /** The values of own fields, which the document prints (rule C14d); null: the purchase had none. */
  fieldAnswers: FieldAnswer[] | null;
  metadata: Metadata;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The content of a line, without its ids and its position on an invoice. */
export type LineDraft = Omit<
  InvoiceLine,
  "organizationId" | "id" | "invoiceId" | "subscriptionId" | "position" | "sources"
>;

export type Totals = Pick<
  Invoice,
  | "subtotalAmount"
  | "discountAmount"
  | "taxAmount"
  | "taxIncludedAmount"
  | "totalAmount"
  | "balanceApplied"
  | "balanceBasis"
  | "amountDue"
>;

export type LineAmounts = Pick<InvoiceLine, "amount" | "discountAmount" | "taxAmount" | "tax">;

/** The total of a line: its price less discount, plus the tax on top. */
export function lineTotal({ amount, discountAmount, taxAmount, tax }: LineAmounts): number {
  return amount - discountAmount + (tax?.inclusive ? 0 : taxAmount);
}

/**
 * Totals are sums of rounded lines (rule M2). The amount due is the total less the part that the balance settles
 * (rules M4, M5f, X3m). `balance` is the Customer's balance, or 0 if the balance may not be used. A total below zero
 * goes to the balance in full. The part of a remainder that can't be charged moves to the balance as a debt (rule M5).
 * `held`: credit among the lines that can't be spent (rule D7). Held credit goes to the balance, and the rest is to be
 * paid.
 */
export function totalsOf(lines: readonly LineAmounts[], balance: number, limits: ChargeLimits, held = 0): Totals {
  const sum = (of: (line: LineAmounts) => number) => lines.reduce((running, line) => running + of(line), 0);
  const totalAmount = sum(lineTotal);
  const toSettle = totalAmount + held;
  const used = toSettle <= 0 ? totalAmount : Math.min(balance, toSettle) - held;
  const amountDue = chargedPart(totalAmount - used, limits);
  const balanceBasis = basisOf(balance, limits);
  return {
    subtotalAmount: sum((line) => line.amount),
    discountAmount: sum((line) => line.discountAmount),
    taxAmount: sum((line) => line.taxAmount),
    taxIncludedAmount: sum((line) => (line.tax?.inclusive ? line.taxAmount : 0)),
    totalAmount,
    balanceApplied: totalAmount - amountDue,
    balanceBasis: held === 0 ? balanceBasis : { ...balanceBasis, held },
    amountDue,
  };
}

/** The lines of a void invoice that wait again: its lines that had waited, if they sum to a credit (rule S5). */
export function linesThatWaitAgain<Line extends LineAmounts & Pick<LineDraft, "proration">>(
  lines: readonly Line[],
): Line[] {
  const waited = lines.filter((line) => line.proration);
  return waited.reduce((sum, line) => sum + lineTotal(line), 0) < 0 ? waited : [];
}

/** The units of a Product that a line bills. `price`: the total of a period, or of a one-time purchase (rule Q4). */
export type BilledProduct = Units & { id: string; name: string; price: number; currency: string };

/** The line of a full period, or of a one-time Product (`span` null): price, discount and tax (rules X1, X3). */
export function fullLine(
  product: BilledProduct,
  span: BilledSpan | null,
  terms: { discount: HeldDiscount | null; tax: LineTax | null },
): LineDraft {
  const { id: productId, name: productName, price, currency } = product;
  const billed = billedLine(price, discountOn(terms.discount, { productId, price }, span), terms.tax);
  const discount = discountBasis(terms.discount, { productId, price }, span);
  const basis = { kind: "period", price, discount, ...basisUnits(product) } as const;
  return {
    description: descriptionOf(titleOf({ productName, basis })!, currency),
    productId,
    productName,
    ...billed,
    taxAmount: taxOf(billed.amount - billed.discountAmount, terms.tax),
    tax: terms.tax,
    proration: false,
    periodStart: span?.start ?? null,
    periodEnd: span?.end ?? null,
    basis,
    creditedLineId: null,
  };
}

export type RateTotal = TaxRate & { taxableAmount: number; taxAmount: number };

/** The taxable amount and the tax for each rate among the lines (rule X3), in the order in which the rates appear. */
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
