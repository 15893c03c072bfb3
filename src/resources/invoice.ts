import * as z from "zod";
import { taxesOf, type Invoice, type InvoiceLine, type InvoiceReason, type InvoiceStatus } from "../domain/invoice/invoice.ts";
import type { LineBasis, LineDraft } from "../domain/invoice/invoice.ts";
import { refundable, type GivenBack } from "../domain/refund/refund.ts";
import { taxNoteOf, type LineTax } from "../domain/tax/tax.ts";
import {
  address,
  amount,
  countryCode,
  currencyCode,
  etag,
  id,
  metadata,
  multiline,
  orNull,
  partyTaxId,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { pageQuery } from "./page.ts";

const STATUSES = ["open", "paid", "void"] as const satisfies readonly InvoiceStatus[];
const REASONS = ["checkout", "renewal", "product_change"] as const satisfies readonly InvoiceReason[];

export const InvoiceLineResource = z
  .object({
    id: id("iln"),
    description: z.string(),
    productId: id("prd"),
    amount: amount.meta({ description: "In the currency's minor unit; a credit is negative." }),
    discountAmount: amount,
    discountedPart: z
      .object({ start: timestamp, until: timestamp, end: timestamp })
      .nullable()
      .meta({
        description:
          "Where a discount for months ends within the period: it covers the time from `start` to `until`, and is taken off in " +
          "proportion to the time from `start` to `end`. Null where there is no discount, and where it covers the whole period.",
      }),
    taxAmount: amount,
    taxRate: z
      .object({ name: z.string(), basisPoints: z.int(), inclusive: z.boolean(), reverseCharge: z.boolean() })
      .nullable()
      .meta({
        description:
          "The rate that the line bears, in basis points: 1900 is 19 %. With `reverseCharge` the buyer accounts for the tax, " +
          "and the line bears none.",
      }),
    proration: z.boolean(),
    periodStart: timestamp.nullable(),
    periodEnd: timestamp.nullable(),
    creditedLineId: id("iln").nullable().meta({ description: "The billed line that this credit gives back; null for other lines." }),
  })
  .meta({ id: "InvoiceLine" });
export type InvoiceLineResource = z.infer<typeof InvoiceLineResource>;

const rateTotal = z.object({
  name: z.string(),
  country: countryCode,
  region: z.string().nullable(),
  basisPoints: z.int(),
  inclusive: z.boolean(),
  reverseCharge: z.boolean().meta({ description: "The buyer accounts for the tax: it is 0 here." }),
  taxableAmount: amount.meta({ description: "Of the lines with this rate, without the tax." }),
  taxAmount: amount,
});

const party = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  address: address.nullable(),
  taxId: partyTaxId.nullable(),
});

export const InvoiceResource = z
  .object({
    id: id("inv"),
    number: z.string(),
    url: z.string().meta({ description: "The hosted page of the invoice; its secret opens this invoice alone." }),
    status: z.enum(STATUSES),
    reason: z.enum(REASONS),
    customerId: id("cus"),
    subscriptionId: id("sub").nullable(),
    checkoutId: id("chk").nullable(),
    currency: currencyCode,
    lines: z.array(InvoiceLineResource),
    subtotalAmount: amount,
    discountAmount: amount,
    taxAmount: amount.meta({
      description: "All tax; of an inclusive rate it is inside the prices, so that the total does not grow by it.",
    }),
    taxes: z.array(rateTotal).meta({ description: "The tax by rate." }),
    taxNote: z.string().nullable().meta({ description: "What the invoice has to say about tax, such as reverse charge." }),
    totalAmount: amount,
    balanceApplied: amount.meta({ description: "What the balance settled of the total; negative when the invoice fed the balance." }),
    amountDue: amount,
    amountPaid: amount,
    refundedAmount: amount,
    refundableAmount: amount.meta({
      description: "The most that can be refunded: the amount paid less refunds, disputes, and credits that changes gave for its lines.",
    }),
    seller: party,
    buyer: party,
    periodStart: timestamp.nullable(),
    periodEnd: timestamp.nullable(),
    nextAttemptAt: timestamp.nullable(),
    paidAt: timestamp.nullable(),
    paidOutside: z.boolean().meta({ description: "Whether it was marked as paid: there is no Payment for it." }),
    paymentNote: z.string().nullable().meta({ description: "What was noted when it was marked as paid." }),
    voidedAt: timestamp.nullable(),
    voidReason: z.string().nullable().meta({ description: "What was noted when an operator voided it." }),
    metadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Invoice" });
export type InvoiceResource = z.infer<typeof InvoiceResource>;

export const ListInvoicesQuery = z.strictObject({
  ...pageQuery("inv"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  subscriptionId: text(64).optional(),
  checkoutId: text(64).optional(),
  number: text(64).optional(),
  status: z.enum(STATUSES).optional(),
  reason: z.enum(REASONS).optional(),
});
export type ListInvoicesQuery = z.infer<typeof ListInvoicesQuery>;

export const VoidInvoiceParams = z.strictObject({
  reason: orNull(multiline(500)).meta({ description: "For your records; the Invoice shows it as `voidReason`." }),
});
export type VoidInvoiceParams = z.infer<typeof VoidInvoiceParams>;

export const MarkInvoicePaidParams = z.strictObject({
  reason: orNull(multiline(500)).meta({ description: "Such as the reference of a bank transfer; the Invoice shows it as `paymentNote`." }),
});
export type MarkInvoicePaidParams = z.infer<typeof MarkInvoicePaidParams>;

export function presentTaxRate(tax: LineTax | null): InvoiceLineResource["taxRate"] {
  return tax && { name: tax.name, basisPoints: tax.basisPoints, inclusive: tax.inclusive, reverseCharge: tax.reverseCharge };
}

function presentPart(basis: LineBasis | null): InvoiceLineResource["discountedPart"] {
  const part = basis?.kind === "period" ? basis.discount?.part : null;
  return part ? { start: time(part.start), until: time(part.until), end: time(part.end) } : null;
}

/** A line before it is on an invoice. */
export function presentLineDraft(line: LineDraft): Omit<InvoiceLineResource, "id"> {
  return {
    description: line.description,
    productId: line.productId,
    amount: line.amount,
    discountAmount: line.discountAmount,
    discountedPart: presentPart(line.basis),
    taxAmount: line.taxAmount,
    taxRate: presentTaxRate(line.tax),
    proration: line.proration,
    periodStart: time(line.periodStart),
    periodEnd: time(line.periodEnd),
    creditedLineId: line.creditedLineId,
  };
}

export function presentInvoiceLine(line: InvoiceLine): InvoiceLineResource {
  return { id: line.id, ...presentLineDraft(line) };
}

const NOTHING_BACK: GivenBack = { refunds: [], disputed: 0, credits: [] };

const refundableOf = (invoice: Invoice, back: GivenBack) => (invoice.status === "paid" ? refundable(invoice, back) : 0);

/** `url`: the hosted page of the invoice. `back`: all amounts that were given back, only for a paid invoice. */
export function presentInvoice(
  invoice: Invoice,
  lines: readonly InvoiceLine[],
  url: string,
  back: GivenBack = NOTHING_BACK,
): InvoiceResource {
  const taxes = taxesOf(lines);
  return {
    id: invoice.id,
    number: invoice.number,
    url,
    status: invoice.status,
    reason: invoice.reason,
    customerId: invoice.customerId,
    subscriptionId: invoice.subscriptionId,
    checkoutId: invoice.checkoutId,
    currency: invoice.currency,
    lines: lines.map(presentInvoiceLine),
    subtotalAmount: invoice.subtotalAmount,
    discountAmount: invoice.discountAmount,
    taxAmount: invoice.taxAmount,
    taxes,
    taxNote: taxNoteOf(lines.map(({ tax }) => tax)),
    totalAmount: invoice.totalAmount,
    balanceApplied: invoice.balanceApplied,
    amountDue: invoice.amountDue,
    amountPaid: invoice.amountPaid,
    refundedAmount: invoice.refundedAmount,
    refundableAmount: refundableOf(invoice, back),
    seller: invoice.seller,
    buyer: invoice.buyer,
    periodStart: time(invoice.periodStart),
    periodEnd: time(invoice.periodEnd),
    nextAttemptAt: time(invoice.nextAttemptAt),
    paidAt: time(invoice.paidAt),
    paidOutside: invoice.paidOutside,
    paymentNote: invoice.paymentNote,
    voidedAt: time(invoice.voidedAt),
    voidReason: invoice.voidReason,
    metadata: invoice.metadata,
    createdAt: time(invoice.createdAt),
    updatedAt: time(invoice.updatedAt),
  };
}

/** Disputes and credits change only the refundable amount, not the version. So the amount is part of the ETag. */
export function invoiceETag(invoice: Invoice, back: GivenBack = NOTHING_BACK): string {
  return etag(invoice.version, invoice.status === "paid" && String(refundableOf(invoice, back)));
}
