import type { CreditNote } from "../domain/refund/refund.ts";
import type { ListCreditNotesQuery } from "../resources/credit-note.ts";
import { sql, type Queryable } from "./db.ts";
import { defineTable, type Table } from "./table.ts";

/** A credit note is never changed (rule I3k). */
type CreditNotes = Pick<Table<CreditNote>, "insert" | "insertAll" | "find" | "columns" | "fromRecord">;
export const creditNotes: CreditNotes = defineTable<CreditNote>("credit_notes", {
  organizationId: "plain",
  id: "plain",
  number: "plain",
  customerId: "plain",
  invoiceId: "plain",
  invoiceNumber: "plain",
  refundId: "plain",
  currency: "plain",
  locale: "plain",
  lines: "json",
  subtotalAmount: "plain",
  taxAmount: "plain",
  taxIncludedAmount: "plain",
  totalAmount: "plain",
  seller: "json",
  buyer: "json",
  createdAt: "instant",
});

const ofInvoicesStatement = sql(
  "credit_notes.of_invoices",
  `SELECT ${creditNotes.columns()} FROM credit_notes WHERE organization_id = $1 AND invoice_id = ANY($2) ORDER BY id`,
);

/** Every credit note on these invoices, oldest first. */
export async function creditNotesOf(
  db: Queryable,
  organizationId: string,
  ...invoiceIds: string[]
): Promise<CreditNote[]> {
  return db.query<CreditNote>(ofInvoicesStatement, [organizationId, invoiceIds]);
}

const listStatement = sql(
  "credit_notes.list",
  `SELECT ${creditNotes.columns("n")} FROM credit_notes n
   JOIN customers c ON (c.organization_id, c.id) = (n.organization_id, n.customer_id)
   WHERE n.organization_id = $1 AND ($2::text IS NULL OR n.id < $2)
     AND ($3::text IS NULL OR n.customer_id = $3) AND ($4::text IS NULL OR c.external_id = $4)
     AND ($5::text IS NULL OR n.invoice_id = $5) AND ($6::text IS NULL OR n.refund_id = $6)
     AND ($7::text IS NULL OR n.number = $7)
   ORDER BY n.id DESC LIMIT $8`,
);

/** Newest first; returns one row more than the page holds. */
export async function listCreditNotes(
  db: Queryable,
  organizationId: string,
  query: ListCreditNotesQuery,
): Promise<CreditNote[]> {
  const { cursor, customerId, externalCustomerId, invoiceId, refundId, number, limit } = query;
  return db.query<CreditNote>(listStatement, [
    organizationId,
    cursor,
    customerId,
    externalCustomerId,
    invoiceId,
    refundId,
    number,
    limit + 1,
  ]);
}
