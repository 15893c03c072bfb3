import type { Context } from "../../context.ts";
import type { IssuedDocument } from "../../documents/billing-document.ts";
import { invoiceDocument, type InvoiceToShow } from "../../documents/invoice.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Locale } from "../../domain/locale.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { organizations } from "../../store/organizations.ts";
import { capturedFor } from "../../store/payments.ts";
import { wordsFor } from "../../texts/words.ts";
import { readRefundsOf } from "./credit-note-document.ts";

type Facts = Omit<InvoiceToShow, "words" | "isBeingPaid"> & { issuer: Organization };

/** The facts of an invoice as a document, in its current state; null if there is no invoice with this id. */
export async function readInvoiceFacts(ctx: Context, organizationId: string, id: string): Promise<Facts | null> {
  const db = ctx.db.read;
  const invoice = await invoices.find(db, organizationId, id);
  if (!invoice) return null;
  const [organization, lines, charge, refunds] = await Promise.all([
    organizations.find(db, organizationId),
    linesOf(db, organizationId, id),
    capturedFor(db, organizationId, id),
    readRefundsOf(ctx, organizationId, id),
  ]);
  return { invoice, lines, charge, refunds, issuer: organization! };
}

/**
 * An invoice as a document; null if there is no invoice with this id. `readers`: the locales of the reader, for an
 * invoice whose own locale is not known or has no catalogue. `isBeingPaid`: a charge is under way.
 */
export async function readInvoiceDocument(
  ctx: Context,
  organizationId: string,
  id: string,
  readers: readonly (Locale | null)[] = [],
  isBeingPaid = false,
): Promise<IssuedDocument | null> {
  const facts = await readInvoiceFacts(ctx, organizationId, id);
  if (!facts) return null;
  const words = wordsFor(facts.invoice.locale, ...readers);
  return { document: invoiceDocument({ ...facts, words, isBeingPaid }), organization: facts.issuer };
}
