import { html } from "hono/html";
import type { Invoice } from "../../../domain/model/invoice.ts";
import { majorUnits } from "../../../domain/major-units.ts";
import { ListInvoicesQuery } from "../../../resources/invoice.ts";
import { listInvoices } from "../../../store/invoices.ts";
import { statusBadge } from "../components/status.ts";
import { refundedBadge } from "../refunded-amount.ts";
import { invoicePath } from "../invoice/paths.ts";
import { csvTime, moneyColumn, statusWords, createdColumn } from "./columns.ts";
import { CREATED, withSpan } from "./created.ts";
import { CUSTOMER_CSV, customerLink, withCustomers, type OfCustomer } from "./customer-cell.ts";
import { defineList } from "./list.ts";

type Row = Invoice & OfCustomer;

export const REASON_WORDS = { checkout: "Checkout", renewal: "Renewal", product_change: "Change of the Product" };

const QUERY = ListInvoicesQuery.extend(CREATED);

export const invoiceList = defineList<Row, typeof QUERY>({
  section: "invoices",
  prefix: "inv",
  schema: QUERY,
  filters: ["status", "reason", "number", "firstDay", "lastDay"],
  words: { status: statusWords("invoice"), reason: REASON_WORDS },
  read: async (ctx, organizationId, query) =>
    withCustomers(
      ctx,
      organizationId,
      await listInvoices(ctx.db.stale, organizationId, await withSpan(ctx, organizationId, query)),
    ),
  columns: [
    {
      label: "Number",
      show: ({ id, number }, { self }) =>
        html`<span class="unbroken"><a href="${invoicePath(self, id)}">${number}</a></span>`,
    },
    { label: "Customer", show: ({ customer }, view) => customerLink(customer, view) },
    {
      label: "Status",
      show: ({ status, refundedAmount, totalAmount }) =>
        html`${statusBadge("invoice", status)}${refundedBadge(refundedAmount, totalAmount)}`,
    },
    { label: "Reason", isWide: true, show: ({ reason }) => REASON_WORDS[reason] },
    moneyColumn("Total", ({ totalAmount }) => totalAmount),
    createdColumn(),
  ],
  csv: {
    id: ({ id }) => id,
    number: ({ number }) => number,
    ...CUSTOMER_CSV,
    buyer_country: ({ buyer }) => buyer.address?.country ?? null,
    buyer_tax_id: ({ buyer }) => buyer.taxId?.value ?? null,
    subscription_id: ({ subscriptionId }) => subscriptionId,
    status: ({ status }) => status,
    reason: ({ reason }) => reason,
    currency: ({ currency }) => currency.toUpperCase(),
    subtotal: ({ subtotalAmount, currency }) => majorUnits(subtotalAmount, currency),
    discount: ({ discountAmount, currency }) => majorUnits(discountAmount, currency),
    tax: ({ taxAmount, currency }) => majorUnits(taxAmount, currency),
    total: ({ totalAmount, currency }) => majorUnits(totalAmount, currency),
    balance_applied: ({ balanceApplied, currency }) => majorUnits(balanceApplied, currency),
    due: ({ amountDue, currency }) => majorUnits(amountDue, currency),
    paid: ({ amountPaid, currency }) => majorUnits(amountPaid, currency),
    refunded: ({ refundedAmount, currency }) => majorUnits(refundedAmount, currency),
    period_start: ({ periodStart }) => csvTime(periodStart),
    period_end: ({ periodEnd }) => csvTime(periodEnd),
    created_at: ({ createdAt }) => csvTime(createdAt),
    paid_at: ({ paidAt }) => csvTime(paidAt),
    voided_at: ({ voidedAt }) => csvTime(voidedAt),
  },
  empty: "Each purchase, each renewal and each change with a price creates an invoice. The invoices appear here.",
  next: { path: "/docs/guides/quickstart-curl", label: "Make your first sale" },
});
