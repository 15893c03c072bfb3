import type { Subscription } from "../../domain/model/subscription.ts";
import type {
  CountedSubscription,
  LineToVerify,
  PostedDispute,
  PostedInvoice,
  PostedRefund,
} from "../../domain/verify.ts";
import { sql, type Statement } from "../driver/db.ts";
import { subscriptions } from "../subscriptions.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Table } from "./tables.ts";

/** One of our charges or refunds by its key at the provider, to be compared with the provider's book. */
export type OwnEntry = { key: string; amount: number; currency: string; status: string };

const PAGE = 500;

/** Rows of a table in the order of their keys, with one page in memory at a time. */
async function* pagesBy<Row>(
  { tx, organizationId, filled }: Snapshot,
  table: Table,
  statement: Statement,
  keyOf: (row: Row) => string,
): AsyncGenerator<Row> {
  if (!filled[table]) return;
  for (let after = ""; ;) {
    const page = await tx.query<Row>(statement, [organizationId, after, PAGE]);
    yield* page;
    if (page.length < PAGE) return;
    after = keyOf(page.at(-1)!);
  }
}

const pages = <Row extends { id: string }>(snapshot: Snapshot, table: Table, statement: Statement) =>
  pagesBy<Row>(snapshot, table, statement, ({ id }) => id);
const entries = (snapshot: Snapshot, table: Table, statement: Statement) =>
  pagesBy<OwnEntry>(snapshot, table, statement, ({ key }) => key);

const NEXT = "organization_id = $1 AND id > $2 ORDER BY id LIMIT $3";

const postings = (source: string) =>
  `(SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'debitAccount', t.debit_account,
       'creditAccount', t.credit_account, 'amount', t.amount, 'currency', t.currency)), '[]')
     FROM ledger_transfers t WHERE t.organization_id = $1 AND t.source_id = ${source}.id) AS postings`;

const subscriptionsStatement = sql(
  "verify.subscriptions",
  `SELECT ${subscriptions.columns()} FROM subscriptions WHERE ${NEXT}`,
);
const mrrStatement = sql(
  "verify.mrr",
  `SELECT ${subscriptions.columns("s")}, m.mrr, m.status AS "countedStatus", m.quantity AS "countedQuantity"
   FROM mrr_states m JOIN subscriptions s ON (s.organization_id, s.id) = (m.organization_id, m.subscription_id)
   WHERE m.organization_id = $1 AND m.subscription_id > $2 AND m.sequence = s.event_sequence
   ORDER BY m.subscription_id LIMIT $3`,
);
const invoicesStatement = sql(
  "verify.invoices",
  `SELECT id, status, currency, total_amount AS "totalAmount", tax_amount AS "taxAmount",
    balance_applied AS "balanceApplied", amount_due AS "amountDue", paid_outside AS "paidOutside",
    ${postings("invoices")}
   FROM invoices WHERE ${NEXT}`,
);
const linesStatement = sql(
  "verify.lines",
  `SELECT id, invoice_id AS "invoiceId", amount, discount_amount AS "discountAmount", tax_amount AS "taxAmount", tax,
    basis
   FROM invoice_lines WHERE ${NEXT}`,
);
const refundsStatement = sql(
  "verify.refunds",
  `SELECT id, status, failed_late AS "failedLate", currency, amount, from_balance AS "fromBalance",
     tax_amount AS "taxAmount", "to",
     ${postings("refunds")} FROM refunds
    WHERE ${NEXT}`,
);
const disputesStatement = sql(
  "verify.disputes",
  `SELECT id, status, currency, amount, ${postings("disputes")} FROM disputes WHERE ${NEXT}`,
);
// Only charges at the built-in provider: its book has no others.
const chargesStatement = sql(
  "verify.charges",
  `SELECT provider_key AS key, amount, currency, status FROM payments
   WHERE provider = 'sandbox' AND purpose <> 'setup' AND organization_id = $1 AND provider_key > $2
   ORDER BY provider_key LIMIT $3`,
);
const cardRefundsStatement = sql(
  "verify.card_refunds",
  `SELECT id AS key, amount, currency, status FROM refunds
    WHERE "to" = 'card' AND origin = 'billow' AND EXISTS (
      SELECT 1 FROM payments p
      WHERE p.organization_id = $1 AND p.id = refunds.payment_id AND p.provider = 'sandbox') AND ${NEXT}`,
);
const outsideRefundsStatement = sql(
  "verify.outside_refunds",
  `SELECT provider_ref AS key, amount, currency, status FROM refunds
   WHERE organization_id = $1 AND origin = 'provider' AND EXISTS (
      SELECT 1 FROM payments p
      WHERE p.organization_id = $1 AND p.id = refunds.payment_id AND p.provider = 'sandbox')
     AND provider_ref > $2 ORDER BY provider_ref LIMIT $3`,
);

export const everySubscription = (snapshot: Snapshot) =>
  pages<Subscription>(snapshot, "subscriptions", subscriptionsStatement);
/** The Subscriptions of which all events are counted, with the counted MRR. */
export const everyCounted = (snapshot: Snapshot) => pages<CountedSubscription>(snapshot, "mrr_states", mrrStatement);
export const everyInvoice = (snapshot: Snapshot) => pages<PostedInvoice>(snapshot, "invoices", invoicesStatement);
export const everyLine = (snapshot: Snapshot) => pages<LineToVerify>(snapshot, "invoice_lines", linesStatement);
export const everyRefund = (snapshot: Snapshot) => pages<PostedRefund>(snapshot, "refunds", refundsStatement);
export const everyDispute = (snapshot: Snapshot) => pages<PostedDispute>(snapshot, "disputes", disputesStatement);
export const everyCharge = (snapshot: Snapshot) => entries(snapshot, "payments", chargesStatement);
export const everyCardRefund = (snapshot: Snapshot) => entries(snapshot, "refunds", cardRefundsStatement);
/** Refunds that were made at the provider, by the provider's own ids. */
export const everyOutsideRefund = (snapshot: Snapshot) => entries(snapshot, "refunds", outsideRefundsStatement);
