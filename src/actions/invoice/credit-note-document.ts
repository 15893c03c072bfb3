import type { Context } from "../../context.ts";
import type { IssuedDocument } from "../../documents/billing-document.ts";
import { creditNoteDocument } from "../../documents/credit-note.ts";
import type { InvoiceToShow } from "../../documents/invoice.ts";
import { presentCreditNote } from "../../resources/credit-note.ts";
import { time } from "../../resources/fields.ts";
import { presentPayment } from "../../resources/payment.ts";
import { creditNotes, creditNotesOf } from "../../store/credit-notes.ts";
import { organizations } from "../../store/organizations.ts";
import { payments } from "../../store/payments.ts";
import { refunds, refundsOf } from "../../store/refunds.ts";
import { creditNoteUrl } from "../links.ts";

/** The refunds of an invoice for its document, each with its credit note. */
export async function readRefundsOf(
  ctx: Context,
  organizationId: string,
  invoiceId: string,
): Promise<InvoiceToShow["refunds"]> {
  const db = ctx.db.read;
  const [refunded, notes] = await Promise.all([
    refundsOf(db, organizationId, invoiceId),
    creditNotesOf(db, organizationId, invoiceId),
  ]);
  return notes.map((note) => {
    const { to, failedAt } = refunded.find((refund) => refund.id === note.refundId)!;
    return { to, failedAt: time(failedAt), creditNote: presentCreditNote(note, creditNoteUrl(ctx, note)) };
  });
}

/** A credit note as a document; null if there is no credit note with this id. */
export async function readCreditNoteDocument(
  ctx: Context,
  organizationId: string,
  id: string,
): Promise<IssuedDocument | null> {
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
    failedAt: time(refund?.failedAt ?? null),
    timeZone,
    sandbox: mode === "sandbox",
  });
  return { document, organization: organization! };
}
