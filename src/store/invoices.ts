import type { Invoice } from "../domain/model/invoice.ts";
import type { ListInvoicesQuery } from "../resources/invoice.ts";
import { sql, type Queryable } from "./driver/db.ts";
import { filteredList, type CreatedSpan } from "./driver/filtered-list.ts";
import { defineTable } from "./driver/table.ts";

export const invoices = defineTable<Invoice>("invoices", {
  organizationId: "plain",
  id: "plain",
  number: "plain",
  status: "plain",
  reason: "plain",
  customerId: "plain",
  subscriptionId: "plain",
  checkoutId: "plain",
  periodNumber: "plain",
  restarted: "plain",
  currency: "plain",
  locale: "plain",
  subtotalAmount: "plain",
  discountAmount: "plain",
  taxAmount: "plain",
  taxIncludedAmount: "plain",
  totalAmount: "plain",
  balanceApplied: "plain",
  balanceBasis: "json",
  balanceSources: "json",
  amountDue: "plain",
  amountPaid: "plain",
  refundedAmount: "plain",
  seller: "json",
  buyer: "json",
  periodStart: "instant",
  periodEnd: "instant",
  nextAttemptAt: "instant",
  collections: "plain",
  heldReason: "plain",
  paidAt: "instant",
  paidOutside: "plain",
  paymentNote: "plain",
  voidedAt: "instant",
  voidReason: "plain",
  fieldAnswers: "json",
  metadata: "json",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

const openOfStatement = sql(
  "invoices.open_of",
  `SELECT ${invoices.columns()} FROM invoices WHERE organization_id = $1 AND subscription_id = $2 AND status = 'open'
    ORDER BY id`,
);

/** A Subscription's open invoices, oldest first. */
export async function openInvoicesOf(
  db: Queryable,
  organizationId: string,
  subscriptionId: string,
): Promise<Invoice[]> {
  return db.query<Invoice>(openOfStatement, [organizationId, subscriptionId]);
}

type InvoiceFilter = "cursor" | "customerId" | "externalCustomerId" | "subscriptionId" | "checkoutId" | "number";
const list = filteredList<Invoice, InvoiceFilter, "status" | "reason">({
  name: "invoices.list",
  select: `SELECT ${invoices.columns("i")} FROM invoices i
   JOIN customers c ON (c.organization_id, c.id) = (i.organization_id, i.customer_id)
   WHERE i.organization_id = $1`,
  order: "i.id DESC",
  created: { table: "invoices", alias: "i" },
  values: {
    cursor: (value) => `i.id < ${value}`,
    customerId: (value) => `i.customer_id = ${value}`,
    externalCustomerId: (value) => `c.external_id = ${value}`,
    subscriptionId: (value) => `i.subscription_id = ${value}`,
    checkoutId: (value) => `i.checkout_id = ${value}`,
    number: (value) => `i.number = ${value}`,
  },
  words: { status: (word) => `i.status = '${word}'`, reason: (word) => `i.reason = '${word}'` },
});

/** Newest first; returns one row more than the page holds. */
export async function listInvoices(
  db: Queryable,
  organizationId: string,
  query: ListInvoicesQuery & CreatedSpan,
): Promise<Invoice[]> {
  return list(db, organizationId, query);
}

const earlierPaidStatement = sql(
  "invoices.earlier_paid",
  `SELECT 1 AS found FROM invoices WHERE organization_id = $1 AND subscription_id = $2 AND id < $3 AND status = 'paid'
    AND total_amount > 0 LIMIT 1`,
);

/** Whether no earlier invoice above zero of the same Subscription is paid. True for a one-time purchase. */
export async function isFirstPaid(
  db: Queryable,
  { organizationId, subscriptionId, id }: Pick<Invoice, "organizationId" | "subscriptionId" | "id">,
): Promise<boolean> {
  return (await db.query(earlierPaidStatement, [organizationId, subscriptionId, id])).length === 0;
}
