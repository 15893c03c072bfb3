import type { Context } from "../../context.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import type { CardSnapshot } from "../../domain/model/payment.ts";
import type { CreditNote, Refund } from "../../domain/model/refund.ts";
import { creditNotesOf } from "../../store/credit-notes.ts";
import { chargesOf } from "../../store/payments.ts";
import { refundsOf } from "../../store/refunds.ts";

/**
 * An invoice with the card that paid it and with its refunds, oldest first. `card`: null if no card is known. A refund
 * that is not settled has no credit note.
 */
export type Billed = {
  invoice: Invoice;
  card: CardSnapshot | null;
  refunds: { refund: Refund; creditNote: CreditNote | null }[];
};

/** The movements of money for each of these invoices of one Organization, in the order of the invoices. */
export async function readMovements(
  { db: { read } }: Context,
  organizationId: string,
  invoices: readonly Invoice[],
): Promise<Billed[]> {
  if (invoices.length === 0) return [];
  const ids = invoices.map(({ id }) => id);
  const [charges, refunds, notes] = await Promise.all([
    chargesOf(read, organizationId, ...ids),
    refundsOf(read, organizationId, ...ids),
    creditNotesOf(read, organizationId, ...ids),
  ]);
  const cards = new Map(charges.map(({ invoiceId, method }) => [invoiceId, method]));
  const noteOf = new Map(notes.map((note) => [note.refundId, note]));
  const byInvoice = Map.groupBy(refunds, ({ invoiceId }) => invoiceId);
  return invoices.map((invoice) => ({
    invoice,
    card: cards.get(invoice.id) ?? null,
    refunds: (byInvoice.get(invoice.id) ?? []).map((refund) => {
      return { refund, creditNote: noteOf.get(refund.id) ?? null };
    }),
  }));
}
