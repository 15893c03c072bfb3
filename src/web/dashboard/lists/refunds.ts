import { html } from "hono/html";
import { majorUnits } from "../../../domain/major-units.ts";
import type { Refund } from "../../../domain/model/refund.ts";
import { ListRefundsQuery } from "../../../resources/refund.ts";
import { listRefunds } from "../../../store/refunds.ts";
import { csvTime, moneyColumn, statusColumn, statusWords, createdColumn } from "./columns.ts";
import { CREATED, withSpan } from "./created.ts";
import { CUSTOMER_CSV, customerColumn, withCustomers, type OfCustomer } from "./customer-cell.ts";
import { defineList } from "./list.ts";

type Row = Refund & OfCustomer;

const TARGET_WORDS = { card: "Card", balance: "Balance" };
const PURPOSE_WORDS = { invoice: "Invoice", balance: "Payout of credit" };

const QUERY = ListRefundsQuery.extend(CREATED);

export const refundList = defineList<Row, typeof QUERY>({
  section: "refunds",
  prefix: "rfd",
  schema: QUERY,
  filters: ["status", "to", "purpose", "firstDay", "lastDay"],
  words: { status: statusWords("refund"), to: TARGET_WORDS, purpose: PURPOSE_WORDS },
  read: async (ctx, organizationId, query) =>
    withCustomers(
      ctx,
      organizationId,
      await listRefunds(ctx.db.stale, organizationId, await withSpan(ctx, organizationId, query)),
    ),
  columns: [
    customerColumn(),
    statusColumn("refund"),
    { label: "Of", isWide: true, show: ({ purpose }) => PURPOSE_WORDS[purpose] },
    { label: "To", isWide: true, show: ({ to }) => TARGET_WORDS[to] },
    {
      label: "Reason",
      isWide: true,
      show: ({ reason }) => (reason === null ? "" : html`<bdi class="long">${reason}</bdi>`),
    },
    moneyColumn("Amount", ({ amount }) => amount),
    createdColumn(),
  ],
  csv: {
    id: ({ id }) => id,
    ...CUSTOMER_CSV,
    invoice_id: ({ invoiceId }) => invoiceId,
    payment_id: ({ paymentId }) => paymentId,
    credit_note_id: ({ creditNoteId }) => creditNoteId,
    status: ({ status }) => status,
    purpose: ({ purpose }) => purpose,
    to: ({ to }) => to,
    currency: ({ currency }) => currency.toUpperCase(),
    amount: ({ amount, currency }) => majorUnits(amount, currency),
    tax: ({ taxAmount, currency }) => majorUnits(taxAmount, currency),
    reason: ({ reason }) => reason,
    failure_code: ({ failureCode }) => failureCode,
    created_at: ({ createdAt }) => csvTime(createdAt),
    settled_at: ({ settledAt }) => csvTime(settledAt),
    failed_at: ({ failedAt }) => csvTime(failedAt),
  },
  empty: "Each refund to a card or to a balance will appear here, also those from the payment provider.",
  next: { path: "/docs/guides/testing", label: "How to try one in a sandbox" },
});
