import * as z from "zod";
import type { Invoice, InvoiceLine, InvoiceReason, InvoiceStatus } from "../domain/invoice.ts";
import { address, amount, currencyCode, etag, id, metadata, taxId, text, time, timestamp } from "./fields.ts";
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
    taxAmount: amount,
    proration: z.boolean(),
    periodStart: timestamp.nullable(),
    periodEnd: timestamp.nullable(),
  })
  .meta({ id: "InvoiceLine" });
export type InvoiceLineResource = z.infer<typeof InvoiceLineResource>;

const party = z.object({ name: z.string().nullable(), email: z.string().nullable(), address: address.nullable(), taxId: taxId.nullable() });

export const InvoiceResource = z
  .object({
    id: id("inv"),
    number: z.string(),
    status: z.enum(STATUSES),
    reason: z.enum(REASONS),
    customerId: id("cus"),
    subscriptionId: id("sub").nullable(),
    checkoutId: id("chk").nullable(),
    currency: currencyCode,
    lines: z.array(InvoiceLineResource),
    subtotalAmount: amount,
    discountAmount: amount,
    taxAmount: amount,
    totalAmount: amount,
    balanceApplied: amount.meta({ description: "What the balance settled of the total; negative when the invoice fed the balance." }),
    amountDue: amount,
    amountPaid: amount,
    refundedAmount: amount,
    seller: party,
    buyer: party,
    periodStart: timestamp.nullable(),
    periodEnd: timestamp.nullable(),
    nextAttemptAt: timestamp.nullable(),
    paidAt: timestamp.nullable(),
    voidedAt: timestamp.nullable(),
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

export function presentInvoiceLine(line: InvoiceLine): InvoiceLineResource {
  return {
    id: line.id,
    description: line.description,
    productId: line.productId,
    amount: line.amount,
    discountAmount: line.discountAmount,
    taxAmount: line.taxAmount,
    proration: line.proration,
    periodStart: time(line.periodStart),
    periodEnd: time(line.periodEnd),
  };
}

export function presentInvoice(invoice: Invoice, lines: readonly InvoiceLine[]): InvoiceResource {
  return {
    id: invoice.id,
    number: invoice.number,
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
    totalAmount: invoice.totalAmount,
    balanceApplied: invoice.balanceApplied,
    amountDue: invoice.amountDue,
    amountPaid: invoice.amountPaid,
    refundedAmount: invoice.refundedAmount,
    seller: invoice.seller,
    buyer: invoice.buyer,
    periodStart: time(invoice.periodStart),
    periodEnd: time(invoice.periodEnd),
    nextAttemptAt: time(invoice.nextAttemptAt),
    paidAt: time(invoice.paidAt),
    voidedAt: time(invoice.voidedAt),
    metadata: invoice.metadata,
    createdAt: time(invoice.createdAt),
    updatedAt: time(invoice.updatedAt),
  };
}

export function invoiceETag(invoice: Invoice): string {
  return etag(invoice.version);
}
