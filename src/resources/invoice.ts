import * as z from "zod";
import {
  taxesOf,
  type Buyer,
  type Invoice,
  type InvoiceLine,
  type InvoiceReason,
  type InvoiceStatus,
} from "../domain/model/invoice.ts";
import type { LineDraft } from "../domain/model/invoice.ts";
import { soldUnitsOf, type LineBasis } from "../domain/model/line-basis.ts";
import { NOTHING_BACK, type Back } from "../domain/model/invoice-returns.ts";
import { totalOfParts } from "../domain/model/credit-source.ts";
import { sumOf } from "../domain/money.ts";
import { CHARGE_REFUSALS } from "../domain/model/payment-outcome.ts";
import { fundedRefunds } from "../domain/model/refund.ts";
import { refundableOf, type Refundable } from "../domain/model/refundable-amount.ts";
import type { LineTax } from "../domain/tax/tax.ts";
import { fieldValues, presentValues } from "./checkout-field.ts";
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
import { quantity } from "./quantity.ts";
import { taxNoteOf } from "./tax-note.ts";

const STATUSES = ["open", "paid", "void"] as const satisfies readonly InvoiceStatus[];
const REASONS = ["checkout", "renewal", "product_change"] as const satisfies readonly InvoiceReason[];

export const InvoiceLineResource = z
  .object({
    id: id("iln"),
    description: z.string(),
    productId: id("prd"),
    quantity: quantity.meta({ description: "The number of units, of which the line bills a period or a part of it." }),
    unitAmount: amount.nullable().meta({
      description:
        "The price of one unit for a whole period, before discount, in the currency's minor unit. Null for a credit " +
        "or debit from before the price was kept.",
    }),
    amount: amount.meta({ description: "In the currency's minor unit (cents for usd). A credit is negative." }),
    discountAmount: amount,
    discountedPart: z
      .object({ start: timestamp, until: timestamp, end: timestamp })
      .nullable()
      .meta({
        description:
          "For a discount for months that ends within the period. " +
          "The discount covers the time from `start` to `until`. It is taken " +
          "off in proportion to the time from `start` to `end`. " +
          "Null without a discount, or if the discount covers the whole period.",
      }),
    taxAmount: amount,
    taxRate: z
      .object({ name: z.string(), basisPoints: z.int(), inclusive: z.boolean(), reverseCharge: z.boolean() })
      .nullable()
      .meta({
        description:
          "The tax rate of the line, in basis points: 1900 is 19 %. " +
          "With `reverseCharge`, the buyer accounts for the tax, and the " +
          "line has no tax.",
      }),
    proration: z.boolean(),
    periodStart: timestamp.nullable(),
    periodEnd: timestamp.nullable(),
    creditedLineId: id("iln")
      .nullable()
      .meta({ description: "The billed line that this credit gives back. Null for other lines." }),
  })
  .meta({ id: "InvoiceLine" });
export type InvoiceLineResource = z.infer<typeof InvoiceLineResource>;

const rateTotal = z.object({
  name: z.string(),
  country: countryCode,
  region: z.string().nullable(),
  basisPoints: z.int(),
  inclusive: z.boolean(),
  reverseCharge: z.boolean().meta({ description: "True if the buyer accounts for the tax. The tax is then 0 here." }),
  taxableAmount: amount.meta({ description: "The amount of the lines with this rate, without the tax." }),
  taxAmount: amount,
});

const party = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  address: address.nullable(),
  taxId: partyTaxId.nullable(),
});

const buyer = party.extend({
  companyName: z
    .string()
    .nullable()
    .meta({ description: "The company for which the buyer bought. Documents show the company before the name." }),
});

export const BALANCE_APPLIED = {
  description: "The part of the total that the balance settled. Negative if the invoice added to the balance.",
};

export const InvoiceResource = z
  .object({
    id: id("inv"),
    number: z.string(),
    url: z
      .string()
      .meta({ description: "The hosted page of the invoice. The secret in the address opens only this invoice." }),
    status: z.enum(STATUSES),
    reason: z.enum(REASONS),
    customerId: id("cus"),
    subscriptionId: id("sub").nullable(),
    checkoutId: id("chk").nullable(),
    currency: currencyCode,
    locale: z
      .string()
      .nullable()
      .meta({
        description:
          "The language of the page and the PDF: the Customer's `locale` when the Invoice was made. " +
          "Null if the Customer had none. The PDF is then in English.",
      }),
    lines: z.array(InvoiceLineResource),
    subtotalAmount: amount,
    discountAmount: amount,
    taxAmount: amount.meta({
      description:
        "All tax of the invoice. The tax of an inclusive rate is inside the prices and does not add to the total.",
    }),
    taxes: z.array(rateTotal).meta({ description: "The tax by rate." }),
    taxNote: z.string().nullable().meta({ description: "The note about tax on the invoice, such as reverse charge." }),
    totalAmount: amount,
    balanceApplied: amount.meta(BALANCE_APPLIED),
    amountDue: amount,
    amountPaid: amount,
    refundedAmount: amount,
    refundableToCard: amount.meta({
      description:
        "The amount that can be refunded to the card: the money that was charged, less refunds, disputes, and " +
        "credits that changes gave for the lines of the Invoice.",
    }),
    refundableToBalance: amount.meta({
      description:
        "The amount that can be refunded to the balance: the same money, and the credit of the balance that the " +
        "Invoice used. If both are 0, the credit among the lines that is left.",
    }),
    seller: party,
    buyer,
    periodStart: timestamp.nullable(),
    periodEnd: timestamp.nullable(),
    restarted: z.boolean().meta({
      description:
        "True if the period began after a gap: access was suspended when the period before ended, and the open " +
        "invoices were paid later.",
    }),
    nextAttemptAt: timestamp.nullable(),
    heldReason: z
      .enum(CHARGE_REFUSALS)
      .nullable()
      .meta({
        description:
          "Why the payment provider refused the charge of this open Invoice. It is not charged again until an " +
          "operator charges it, and the buyer can pay it on its page.",
      }),
    paidAt: timestamp.nullable(),
    paidOutside: z
      .boolean()
      .meta({ description: "True if the Invoice was marked as paid. The Invoice then has no Payment." }),
    paymentNote: z
      .string()
      .nullable()
      .meta({ description: "The note that was given when the Invoice was marked as paid." }),
    voidedAt: timestamp.nullable(),
    voidReason: z
      .string()
      .nullable()
      .meta({ description: "The note that an operator gave when they voided the Invoice." }),
    fieldValues,
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
  reason: orNull(multiline(500)).meta({
    description: "For your records. The Invoice shows this text as `voidReason`.",
  }),
});
export type VoidInvoiceParams = z.infer<typeof VoidInvoiceParams>;

export const MarkInvoicePaidParams = z.strictObject({
  reason: orNull(multiline(500)).meta({
    description: "For example the reference of a bank transfer. The Invoice shows this text as `paymentNote`.",
  }),
});
export type MarkInvoicePaidParams = z.infer<typeof MarkInvoicePaidParams>;

export function presentTaxRate(tax: LineTax | null): InvoiceLineResource["taxRate"] {
  return (
    tax && { name: tax.name, basisPoints: tax.basisPoints, inclusive: tax.inclusive, reverseCharge: tax.reverseCharge }
  );
}

function presentPart(basis: LineBasis | null): InvoiceLineResource["discountedPart"] {
  const part = basis?.kind === "period" ? basis.discount?.part : null;
  return part ? { start: time(part.start), until: time(part.until), end: time(part.end) } : null;
}

/** A buyer from before companies were kept has no company. */
export function presentBuyer({
  name,
  companyName = null,
  email,
  address: place,
  taxId,
}: Buyer): InvoiceResource["buyer"] {
  return { name, companyName, email, address: place, taxId };
}

/** A line before it is on an invoice. */
export function presentLineDraft(line: LineDraft): Omit<InvoiceLineResource, "id"> {
  const { quantity: units, unitAmount } = soldUnitsOf(line.basis);
  return {
    description: line.description,
    productId: line.productId,
    quantity: units,
    unitAmount,
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

const NO_REFUND: Refundable = { toCard: 0, toBalance: 0, isNetted: false };

const refundableIn = (invoice: Invoice, lines: readonly InvoiceLine[], back: Back): Refundable =>
  invoice.status === "paid" ? refundableOf({ invoice, lines, back }) : NO_REFUND;

/** `url`: the hosted page of the invoice. `back`: all amounts that were given back, only for a paid invoice. */
export function presentInvoice(
  invoice: Invoice,
  lines: readonly InvoiceLine[],
  url: string,
  back: Back = NOTHING_BACK,
): InvoiceResource {
  const { toCard, toBalance } = refundableIn(invoice, lines, back);
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
    locale: invoice.locale,
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
    refundableToCard: toCard,
    refundableToBalance: toBalance,
    seller: invoice.seller,
    buyer: presentBuyer(invoice.buyer),
    periodStart: time(invoice.periodStart),
    periodEnd: time(invoice.periodEnd),
    restarted: invoice.restarted,
    nextAttemptAt: time(invoice.nextAttemptAt),
    heldReason: invoice.heldReason,
    paidAt: time(invoice.paidAt),
    paidOutside: invoice.paidOutside,
    paymentNote: invoice.paymentNote,
    voidedAt: time(invoice.voidedAt),
    voidReason: invoice.voidReason,
    fieldValues: presentValues(invoice.fieldAnswers),
    metadata: invoice.metadata,
    createdAt: time(invoice.createdAt),
    updatedAt: time(invoice.updatedAt),
  };
}

/**
 * Refunds in progress, disputes and credits change only the refundable amounts, not the version. So the amounts that
 * were given back are part of the ETag.
 */
export function invoiceETag(invoice: Invoice, back: Back = NOTHING_BACK): string {
  const { own, credit, netted } = fundedRefunds(back.refunds);
  const credited = sumOf(back.credits.map(({ amount: each }) => each));
  const given = [own + totalOfParts([...credit, ...netted]), credited, back.disputed, back.lost.size];
  return etag(invoice.version, invoice.status === "paid" && given.join("-"));
}
