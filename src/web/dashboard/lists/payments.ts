import { html } from "hono/html";
import { majorUnits } from "../../../domain/major-units.ts";
import { cardName } from "../../../domain/model/card-name.ts";
import { triggerOf, type Payment } from "../../../domain/model/payment.ts";
import { ListPaymentsQuery } from "../../../resources/payment.ts";
import { listPayments } from "../../../store/payments.ts";
import { statusBadge } from "../components/status.ts";
import { refundedBadge, refundLink, withRefunded, type Refunded } from "../refunded-amount.ts";
import { csvTime, moneyColumn, statusWords, createdColumn } from "./columns.ts";
import { CREATED, withSpan } from "./created.ts";
import { CUSTOMER_CSV, customerColumn, withCustomers, type OfCustomer } from "./customer-cell.ts";
import { defineList } from "./list.ts";

type Row = Payment & Refunded & OfCustomer;

export const TRIGGER_WORDS = {
  checkout: "Checkout",
  renewal: "Renewal",
  product_change: "Change of the Product",
  retry: "Retry",
  manual: "By hand",
  new_card: "Another card",
};

const failureOf = ({ status, failureCode }: Payment) => (status === "failed" ? failureCode : null);

const QUERY = ListPaymentsQuery.extend(CREATED);

export const paymentList = defineList<Row, typeof QUERY>({
  section: "payments",
  prefix: "pay",
  schema: QUERY,
  filters: ["status", "trigger", "firstDay", "lastDay"],
  words: { status: statusWords("payment"), trigger: TRIGGER_WORDS },
  async read(ctx, organizationId, query) {
    const rows = await listPayments(ctx.db.stale, organizationId, await withSpan(ctx, organizationId, query));
    return withCustomers(ctx, organizationId, await withRefunded(ctx, organizationId, rows));
  },
  columns: [
    customerColumn(),
    {
      label: "Status",
      show(payment, { request }) {
        const { status, refunded, amount } = payment;
        const code = failureOf(payment);
        const reason = code === null ? "" : html`<span class="note">${code.replaceAll("_", " ")}</span>`;
        return html`${statusBadge("payment", status)}${refundedBadge(refunded, amount)}${reason}
${refundLink(request, payment)}`;
      },
    },
    { label: "Card", isWide: true, show: ({ method }) => (method === null ? "" : cardName(method)) },
    { label: "Reason", isWide: true, show: (payment) => TRIGGER_WORDS[triggerOf(payment)] },
    moneyColumn("Amount", ({ amount }) => amount),
    createdColumn(),
  ],
  csv: {
    id: ({ id }) => id,
    ...CUSTOMER_CSV,
    invoice_id: ({ invoiceId }) => invoiceId,
    subscription_id: ({ subscriptionId }) => subscriptionId,
    status: ({ status }) => status,
    trigger: (payment) => triggerOf(payment),
    failure_code: (payment) => failureOf(payment),
    currency: ({ currency }) => currency.toUpperCase(),
    amount: ({ amount, currency }) => majorUnits(amount, currency),
    refunded: ({ refunded, currency }) => majorUnits(refunded, currency),
    card_brand: ({ method }) => method?.brand ?? null,
    card_last4: ({ method }) => method?.last4 ?? null,
    provider: ({ provider }) => provider,
    created_at: ({ createdAt }) => csvTime(createdAt),
    settled_at: ({ settledAt }) => csvTime(settledAt),
  },
  empty: "Each attempt to charge a card will appear here, with its outcome.",
  next: { path: "/docs/guides/quickstart-curl", label: "Make your first sale" },
});
