import type { Context } from "../../context.ts";
import type { IssuedDocument } from "../../documents/billing-document.ts";
import { creditNoteDocument } from "../../documents/credit-note.ts";
import type { InvoiceToShow } from "../../documents/invoice.ts";
import type { Locale } from "../../domain/locale.ts";
import { creditNotes, creditNotesOf } from "../../store/credit-notes.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { organizations } from "../../store/organizations.ts";
import { payments } from "../../store/payments.ts";
import { refunds, refundsOf } from "../../store/refunds.ts";
import { wordsFor } from "../../texts/words.ts";
import { creditNoteUrl, invoiceUrl } from "../links.ts";

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
    return { to, failedAt, creditNote: note, url: creditNoteUrl(ctx, note) };
  });
}

/** A credit note as a document; null if there is no credit note with this id. `readers`: as for an invoice. */
export async function readCreditNoteDocument(
  ctx: Context,
  organizationId: string,
  id: string,
  readers: readonly Locale[] = [],
): Promise<IssuedDocument | null> {
  const db = ctx.db.read;
  const note = await creditNotes.find(db, organizationId, id);
  if (!note) return null;
  const [organization, lines, refund] = await Promise.all([
    organizations.find(db, organizationId),
    linesOf(db, organizationId, note.invoiceId),
    refunds.find(db, organizationId, note.refundId),
  ]);
  const paymentId = refund?.paymentId ?? null;
  const charge = paymentId === null ? null : await payments.find(db, organizationId, paymentId);
  const document = creditNoteDocument({
    creditNote: note,
    invoiceUrl: invoiceUrl(ctx, { organizationId, id: note.invoiceId }),
    lines,
    charge,
    failedAt: refund?.failedAt ?? null,
    issuer: organization!,
    words: wordsFor(note.locale, ...readers),
  });
  return { document, organization: organization! };
}
