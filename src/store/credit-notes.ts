import type { CreditNote } from "../domain/model/refund.ts";
import type { ListCreditNotesQuery } from "../resources/credit-note.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { defineTable, type Table } from "./driver/table.ts";

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

type CreditNoteFilter = "cursor" | "customerId" | "externalCustomerId" | "invoiceId" | "refundId" | "number";
const list = filteredList<CreditNote, CreditNoteFilter>({
  name: "credit_notes.list",
  select: `SELECT ${creditNotes.columns("n")} FROM credit_notes n
   JOIN customers c ON (c.organization_id, c.id) = (n.organization_id, n.customer_id)
   WHERE n.organization_id = $1`,
  order: "n.id DESC",
  values: {
    cursor: (value) => `n.id < ${value}`,
    customerId: (value) => `n.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    invoiceId: (value) => `n.invoice_id = ${value}`,
    refundId: (value) => `n.refund_id = ${value}`,
    number: (value) => `n.number = ${value}`,
  },
});

/** Newest first; returns one row more than the page holds. */
export async function listCreditNotes(
  db: Queryable,
  organizationId: string,
  query: ListCreditNotesQuery,
): Promise<CreditNote[]> {
  return list(db, organizationId, query);
}
