import type { TransferKind } from "../../domain/model/ledger.ts";
import { rule, type Rule } from "./rule.ts";

/** The table of the row that a transfer names in `source_id`, by the transfer's kind. */
const SOURCES: Record<string, readonly TransferKind[]> = {
  invoices: ["invoice_issued", "invoice_paid", "invoice_paid_outside", "invoice_voided"],
  payments: ["unapplied_payment"],
  refunds: ["refund", "payout_requested", "payout_failed", "refund_failed"],
  disputes: ["dispute_opened", "dispute_won", "dispute_lost"],
  balance_entries: ["balance_adjusted", "balance_written_off", "credit_lost"],
};

const kinds = (table: string) => SOURCES[table]!.map((kind) => `'${kind}'`).join(", ");
const isKnown = Object.keys(SOURCES).map(
  (table) => `WHEN t.kind IN (${kinds(table)}) THEN EXISTS (
       SELECT 1 FROM ${table} f WHERE f.organization_id = $1 AND f.id = t.source_id AND f.customer_id = t.customer_id)`,
);

// The sum that each account must have, in favour of the Organization: debits less credits. The first query names the
// columns of all queries, because a distributed PostgreSQL ignores column names in the WITH clause.
const FACTS = [
  `SELECT customer_id, currency, 'receivable' AS account, amount_due AS amount FROM invoices
     WHERE organization_id = $1 AND status = 'open'`,
  `SELECT customer_id, currency, 'outside', amount_due FROM invoices WHERE organization_id = $1 AND paid_outside`,
  `SELECT customer_id, currency, 'revenue', tax_amount - total_amount FROM invoices
    WHERE organization_id = $1 AND status <> 'void'`,
  `SELECT customer_id, currency, 'tax', -tax_amount FROM invoices WHERE organization_id = $1 AND status <> 'void'`,
  `SELECT customer_id, currency, 'provider', amount FROM payments
     WHERE organization_id = $1 AND purpose <> 'setup' AND status = 'succeeded'`,
  `SELECT customer_id, currency, 'balance', -amount FROM balances WHERE organization_id = $1`,
  `SELECT customer_id, currency, 'adjustment', amount FROM balance_entries
    WHERE organization_id = $1 AND reason = 'adjustment'`,
  `SELECT customer_id, currency, 'written_off', amount FROM balance_entries
    WHERE organization_id = $1 AND reason = 'written_off'`,
  `SELECT customer_id, currency, 'provider', -amount FROM refunds
    WHERE organization_id = $1 AND status = 'succeeded' AND "to" = 'card'`,
  `SELECT customer_id, currency, 'provider', -amount FROM disputes
    WHERE organization_id = $1 AND status IN ('open', 'lost')`,
  `SELECT customer_id, currency, 'disputed', amount FROM disputes WHERE organization_id = $1 AND status = 'open'`,
  `SELECT customer_id, currency, 'dispute_lost', amount FROM disputes WHERE organization_id = $1 AND status = 'lost'`,
  `SELECT customer_id, currency, 'dispute_lost', amount FROM balance_entries
    WHERE organization_id = $1 AND reason = 'dispute_lost'`,
  `SELECT customer_id, currency, 'paying_out', -from_balance FROM refunds
    WHERE organization_id = $1 AND settled_at IS NULL`,
  `SELECT customer_id, currency, 'revenue', amount - from_balance - tax_amount FROM refunds
    WHERE organization_id = $1 AND (status = 'succeeded' OR failed_late)`,
  `SELECT customer_id, currency, 'tax', tax_amount FROM refunds
    WHERE organization_id = $1 AND (status = 'succeeded' OR failed_late)`,
];

/** Rule I4: the ledger agrees with the rows. */
export const LEDGER_RULES: readonly Rule[] = [
  rule(
    "ledger_accounts",
    "The amounts that a Customer owes, paid, bought or has in their favour differ from the ledger (rule I4).",
    `WITH fact (customer_id, currency, account, amount) AS (${FACTS.join(" UNION ALL ")}),
     meant AS (SELECT customer_id, currency, account, sum(amount) AS amount FROM fact GROUP BY 1, 2, 3),
     posted AS (
       SELECT customer_id, currency, account, sum(amount) AS amount FROM (
         SELECT customer_id, currency, unnest(ARRAY[debit_account, credit_account]) AS account,
           unnest(ARRAY[amount, -amount]) AS amount
         FROM ledger_transfers WHERE organization_id = $1
       ) side GROUP BY 1, 2, 3
     )
     SELECT customer_id AS customer, currency, account, coalesce(posted.amount, 0) AS ledger,
     coalesce(meant.amount, 0) AS fact
     FROM posted FULL JOIN meant USING (customer_id, currency, account)
     WHERE coalesce(posted.amount, 0) <> coalesce(meant.amount, 0)`,
  ),
  rule(
    "ledger_sources",
    "A transfer has a source that does not exist, or is another Customer's (rule I4).",
    `SELECT t.id AS transfer, t.kind, t.source_id AS source, t.customer_id AS customer, t.amount FROM ledger_transfers t
     WHERE t.organization_id = $1 AND NOT CASE ${isKnown.join(" ")} ELSE false END`,
  ),
  rule(
    "ledger_posted_twice",
    "A source was posted twice (rule I4).",
    `SELECT source_id AS source, kind, debit_account AS debit, credit_account AS credit, count(*) AS transfers,
      sum(amount) AS amount
     FROM ledger_transfers WHERE organization_id = $1 GROUP BY 1, 2, 3, 4 HAVING count(*) > 1`,
  ),
  rule(
    "balance_entries",
    "A balance is not the sum of its entries (rule I4).",
    `SELECT customer_id AS customer, currency, b.amount AS balance, e.amount AS entries
     FROM (SELECT customer_id, currency, amount FROM balances WHERE organization_id = $1) b
     FULL JOIN (
       SELECT customer_id, currency, sum(amount) AS amount FROM balance_entries WHERE organization_id = $1 GROUP BY 1, 2
     ) e USING (customer_id, currency)
     WHERE b.amount IS DISTINCT FROM e.amount`,
  ),
];
