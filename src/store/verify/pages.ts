import type { Subscription } from "../../domain/subscription/subscription.ts";
import type { LineToVerify, PostedDispute, PostedInvoice, PostedRefund } from "../../domain/verify.ts";
import { sql, type Statement, type Tx } from "../db.ts";
import { subscriptions } from "../subscriptions.ts";

/** One of our charges or refunds, to be compared with the provider's book. */
export type OwnEntry = { id: string; amount: number; currency: string; status: string };

const PAGE = 500;

/** Rows of a table in the order of their ids, with one page in memory at a time. */
async function* pages<Row extends { id: string }>(
  tx: Tx,
  statement: Statement,
  organizationId: string,
): AsyncGenerator<Row> {
  for (let after = ""; ;) {
    const page = await tx.query<Row>(statement, [organizationId, after, PAGE]);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

const NEXT = "organization_id = $1 AND id > $2 ORDER BY id LIMIT $3";

const postings = (source: string) =>
  `(SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'debitAccount', t.debit_account,
       'creditAccount', t.credit_account, 'amount', t.amount, 'currency', t.currency)), '[]')
     FROM ledger_transfers t WHERE t.organization_id = $1 AND t.source_id = ${source}.id) AS postings`;

const subscriptionsStatement = sql(
  "verify.subscriptions",
  `SELECT ${subscriptions.columns()} FROM subscriptions WHERE ${NEXT}`,
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
  `SELECT id, status, currency, amount, from_balance AS "fromBalance", tax_amount AS "taxAmount", "to",
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
  `SELECT id, amount, currency, status FROM payments
   WHERE provider = 'sandbox' AND purpose <> 'setup' AND ${NEXT}`,
);
const cardRefundsStatement = sql(
  "verify.card_refunds",
  `SELECT id, amount, currency, status FROM refunds
   WHERE "to" = 'card' AND EXISTS (
     SELECT 1 FROM payments p
     WHERE p.organization_id = $1 AND p.id = refunds.payment_id AND p.provider = 'sandbox') AND ${NEXT}`,
);

export const everySubscription = (tx: Tx, organizationId: string) =>
  pages<Subscription>(tx, subscriptionsStatement, organizationId);
export const everyInvoice = (tx: Tx, organizationId: string) =>
  pages<PostedInvoice>(tx, invoicesStatement, organizationId);
export const everyLine = (tx: Tx, organizationId: string) => pages<LineToVerify>(tx, linesStatement, organizationId);
export const everyRefund = (tx: Tx, organizationId: string) =>
  pages<PostedRefund>(tx, refundsStatement, organizationId);
export const everyDispute = (tx: Tx, organizationId: string) =>
  pages<PostedDispute>(tx, disputesStatement, organizationId);
export const everyCharge = (tx: Tx, organizationId: string) => pages<OwnEntry>(tx, chargesStatement, organizationId);
export const everyCardRefund = (tx: Tx, organizationId: string) =>
  pages<OwnEntry>(tx, cardRefundsStatement, organizationId);
