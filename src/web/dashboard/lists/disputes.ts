import { majorUnits } from "../../../domain/major-units.ts";
import type { Dispute, DisputeReason } from "../../../domain/model/dispute.ts";
import { ListDisputesQuery } from "../../../resources/dispute.ts";
import { listDisputes } from "../../../store/disputes.ts";
import { csvTime, moneyColumn, statusColumn, statusWords, createdColumn, timeColumn } from "./columns.ts";
import { CREATED, withSpan } from "./created.ts";
import { CUSTOMER_CSV, customerColumn, withCustomers, type OfCustomer } from "./customer-cell.ts";
import { defineList } from "./list.ts";

type Row = Dispute & OfCustomer;

export const DISPUTE_REASON_WORDS: Record<DisputeReason, string> = {
  fraudulent: "Fraud",
  duplicate: "Charged twice",
  not_received: "Not received",
  not_as_described: "Not as described",
  subscription_canceled: "Subscription was canceled",
  refund_not_received: "Refund not received",
  unrecognized: "Not recognized",
  other: "Another reason",
};

const QUERY = ListDisputesQuery.extend(CREATED);

export const disputeList = defineList<Row, typeof QUERY>({
  section: "disputes",
  prefix: "dsp",
  schema: QUERY,
  filters: ["status", "firstDay", "lastDay"],
  words: { status: statusWords("dispute") },
  read: async (ctx, organizationId, query) =>
    withCustomers(
      ctx,
      organizationId,
      await listDisputes(ctx.db.stale, organizationId, await withSpan(ctx, organizationId, query)),
    ),
  columns: [
    customerColumn(),
    statusColumn("dispute"),
    { label: "Reason", isWide: true, show: ({ reason }) => DISPUTE_REASON_WORDS[reason] },
    timeColumn("Evidence until", ({ evidenceDueAt, closedAt }) => (closedAt === null ? evidenceDueAt : null), false),
    moneyColumn("Amount", ({ amount }) => amount),
    createdColumn(),
  ],
  csv: {
    id: ({ id }) => id,
    ...CUSTOMER_CSV,
    payment_id: ({ paymentId }) => paymentId,
    invoice_id: ({ invoiceId }) => invoiceId,
    subscription_id: ({ subscriptionId }) => subscriptionId,
    status: ({ status }) => status,
    reason: ({ reason }) => reason,
    currency: ({ currency }) => currency.toUpperCase(),
    amount: ({ amount, currency }) => majorUnits(amount, currency),
    fee_currency: ({ feeCurrency }) => feeCurrency?.toUpperCase() ?? null,
    fee: ({ fee, feeCurrency }) => (fee === null || feeCurrency === null ? null : majorUnits(fee, feeCurrency)),
    evidence_due_at: ({ evidenceDueAt }) => csvTime(evidenceDueAt),
    created_at: ({ createdAt }) => csvTime(createdAt),
    closed_at: ({ closedAt }) => csvTime(closedAt),
  },
  empty: "If a buyer asks the bank for the money of a charge, the dispute will appear here with the time for evidence.",
  next: { path: "/docs/guides/testing", label: "How to try one in a sandbox" },
});
