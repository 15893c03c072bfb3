import * as z from "zod";
import { taxesOf } from "../domain/model/invoice.ts";
import type { CreditNote, CreditNoteLine } from "../domain/model/refund.ts";
import { amount, currencyCode, etag, id, text, time, timestamp } from "./fields.ts";
import { InvoiceLineResource, InvoiceResource, presentBuyer, presentTaxRate } from "./invoice.ts";
import { pageQuery } from "./page.ts";
import { taxNoteOf } from "./tax-note.ts";

export const CreditNoteLineResource = z
  .object({
    invoiceLineId: id("iln").meta({ description: "The line of the Invoice that this amount belongs to." }),
    description: z.string(),
    productId: id("prd"),
    amount: amount.meta({ description: "The amount given back of the line, before tax that comes on top." }),
    taxAmount: amount,
    taxRate: InvoiceLineResource.shape.taxRate,
    periodStart: timestamp.nullable(),
    periodEnd: timestamp.nullable(),
  })
  .meta({ id: "CreditNoteLine" });
export type CreditNoteLineResource = z.infer<typeof CreditNoteLineResource>;

export const CreditNoteResource = z
  .object({
    id: id("crn"),
    number: z.string(),
    url: z.string().meta({
      description: "The hosted page of the credit note. The secret in the address opens only this credit note.",
    }),
    invoiceId: id("inv"),
    invoiceNumber: z.string(),
    refundId: id("rfd"),
    customerId: id("cus"),
    currency: currencyCode,
    locale: z.string().nullable().meta({ description: "The language of the page and the PDF: that of the Invoice." }),
    lines: z.array(CreditNoteLineResource),
    subtotalAmount: amount,
    taxAmount: amount,
    taxes: InvoiceResource.shape.taxes,
    taxNote: InvoiceResource.shape.taxNote,
    totalAmount: amount.meta({ description: "The amount that was given back, with tax. Above zero." }),
    seller: InvoiceResource.shape.seller,
    buyer: InvoiceResource.shape.buyer,
    createdAt: timestamp,
  })
  .meta({ id: "CreditNote" });
export type CreditNoteResource = z.infer<typeof CreditNoteResource>;

export const ListCreditNotesQuery = z.strictObject({
  ...pageQuery("crn"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  invoiceId: text(64).optional(),
  refundId: text(64).optional(),
  number: text(64).optional(),
});
export type ListCreditNotesQuery = z.infer<typeof ListCreditNotesQuery>;

function presentLine(line: CreditNoteLine): CreditNoteLineResource {
  return {
    invoiceLineId: line.invoiceLineId,
    description: line.description,
    productId: line.productId,
    amount: line.amount,
    taxAmount: line.taxAmount,
    taxRate: presentTaxRate(line.tax),
    periodStart: time(line.periodStart),
    periodEnd: time(line.periodEnd),
  };
}

/** `url`: the hosted page of the credit note. */
export function presentCreditNote(note: CreditNote, url: string): CreditNoteResource {
  const taxes = taxesOf(note.lines.map((line) => ({ ...line, discountAmount: 0 })));
  return {
    id: note.id,
    number: note.number,
    url,
    invoiceId: note.invoiceId,
    invoiceNumber: note.invoiceNumber,
    refundId: note.refundId,
    customerId: note.customerId,
    currency: note.currency,
    locale: note.locale,
    lines: note.lines.map(presentLine),
    subtotalAmount: note.subtotalAmount,
    taxAmount: note.taxAmount,
    taxes,
    taxNote: taxNoteOf(note.lines.map(({ tax }) => tax)),
    totalAmount: note.totalAmount,
    seller: note.seller,
    buyer: presentBuyer(note.buyer),
    createdAt: time(note.createdAt),
  };
}

/** A credit note never changes. */
export const CREDIT_NOTE_ETAG = etag(1);
