import type { Context } from "../../context.ts";
import type { BillingDocument } from "../../documents/billing-document.ts";
import { creditNoteDocument } from "../../documents/credit-note.ts";
import { invoiceDocument } from "../../documents/invoice.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { presentCreditNote } from "../../resources/credit-note.ts";
import { presentInvoice } from "../../resources/invoice.ts";
import { presentPayment } from "../../resources/payment.ts";
import { creditNotes, creditNotesOf } from "../../store/credit-notes.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { organizations } from "../../store/organizations.ts";
import { capturedFor, payments } from "../../store/payments.ts";
import { refunds, refundsOf } from "../../store/refunds.ts";
import { creditNoteUrl, invoiceUrl } from "../links.ts";

/** `organization`: who issued it. */
export type IssuedDocument = { document: BillingDocument; organization: Organization };

/** What an invoice says by now; null when there is none of this id. */
export async function readInvoiceDocument(ctx: Context, organizationId: string, id: string): Promise<IssuedDocument | null> {
  const db = ctx.db.read;
  const invoice = await invoices.find(db, organizationId, id);
  if (!invoice) return null;
  const [organization, lines, charge, refunded, notes] = await Promise.all([
    organizations.find(db, organizationId),
    linesOf(db, organizationId, id),
    capturedFor(db, organizationId, id),
    refundsOf(db, organizationId, id),
    creditNotesOf(db, organizationId, id),
  ]);
  const { timeZone, mode } = organization!;
  const document = invoiceDocument({
    invoice: presentInvoice(invoice, lines, invoiceUrl(ctx, invoice)),
    charge: charge && presentPayment(charge),
    refunds: notes.map((note) => ({
      to: refunded.find((refund) => refund.id === note.refundId)!.to,
      creditNote: presentCreditNote(note, creditNoteUrl(ctx, note)),
    })),
    timeZone,
    sandbox: mode === "sandbox",
  });
  return { document, organization: organization! };
}

/** What a credit note says; null when there is none of this id. */
export async function readCreditNoteDocument(ctx: Context, organizationId: string, id: string): Promise<IssuedDocument | null> {
  const db = ctx.db.read;
  const note = await creditNotes.find(db, organizationId, id);
  if (!note) return null;
  const [organization, refund] = await Promise.all([
    organizations.find(db, organizationId),
    refunds.find(db, organizationId, note.refundId),
  ]);
  const paymentId = refund?.paymentId ?? null;
  const charge = paymentId === null ? null : await payments.find(db, organizationId, paymentId);
  const { timeZone, mode } = organization!;
  const document = creditNoteDocument({
    creditNote: presentCreditNote(note, creditNoteUrl(ctx, note)),
    charge: charge && presentPayment(charge),
    timeZone,
    sandbox: mode === "sandbox",
  });
  return { document, organization: organization! };
}
