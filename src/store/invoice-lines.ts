import type { InvoiceLine } from "../domain/model/invoice.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { defineTable } from "./driver/table.ts";

export const invoiceLines = defineTable<InvoiceLine>("invoice_lines", {
  organizationId: "plain",
  id: "plain",
  invoiceId: "plain",
  subscriptionId: "plain",
  position: "plain",
  description: "plain",
  productId: "plain",
  productName: "plain",
  amount: "plain",
  discountAmount: "plain",
  taxAmount: "plain",
  tax: "json",
  proration: "plain",
  periodStart: "instant",
  periodEnd: "instant",
  basis: "json",
  creditedLineId: "plain",
  sources: "json",
});

const ofInvoiceStatement = sql(
  "invoice_lines.of_invoice",
  `SELECT ${invoiceLines.columns()} FROM invoice_lines WHERE organization_id = $1 AND invoice_id = $2
    ORDER BY position`,
);

export async function linesOf(db: Queryable, organizationId: string, invoiceId: string): Promise<InvoiceLine[]> {
  return db.query<InvoiceLine>(ofInvoiceStatement, [organizationId, invoiceId]);
}

const ofInvoicesStatement = sql(
  "invoice_lines.of_invoices",
  `SELECT ${invoiceLines.columns()} FROM invoice_lines WHERE organization_id = $1 AND invoice_id = ANY($2)
    ORDER BY invoice_id, position`,
);

/** The lines of several invoices, grouped by the invoice's id. */
export async function linesOfInvoices(db: Queryable, organizationId: string, ids: readonly string[]) {
  return Map.groupBy(await db.query<InvoiceLine>(ofInvoicesStatement, [organizationId, ids]), (line) => line.invoiceId);
}

const purchasesStatement = sql(
  "invoice_lines.purchases",
  `SELECT l.invoice_id AS "invoiceId", i.customer_id AS "customerId",
     coalesce(max((l.basis->>'quantity')::integer), 1) AS quantity
   FROM invoice_lines l JOIN invoices i ON i.organization_id = l.organization_id AND i.id = l.invoice_id
   WHERE l.organization_id = $1 AND l.product_id = $2 AND l.subscription_id IS NULL AND l.invoice_id > $3
   GROUP BY l.invoice_id, i.customer_id ORDER BY l.invoice_id LIMIT $4`,
);

/** One-time purchases of a Product with their quantities, ordered by their invoices, after the invoice id `after`. */
export async function purchasesOf(
  db: Queryable,
  organizationId: string,
  productId: string,
  after: string,
  limit: number,
): Promise<{ invoiceId: string; customerId: string; quantity: number }[]> {
  return db.query(purchasesStatement, [organizationId, productId, after, limit]);
}
