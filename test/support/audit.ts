import type { BookedCharge } from "../../src/payments/provider.ts";
import { createSandboxProvider } from "../../src/payments/sandbox.ts";
import { sql, type Database } from "../../src/store/db.ts";

/** What must never be, and how to find it: each row is one text, `about`, that names the ids. `$1` is the Organization. */
const RULES: Record<string, string> = {
  "an invoice is not the sum of its lines": `
    SELECT concat_ws(' ', i.id, 'subtotal', i.subtotal_amount, 'lines', sum(l.amount)) AS about
    FROM invoices i LEFT JOIN invoice_lines l ON (l.organization_id, l.invoice_id) = (i.organization_id, i.id)
    WHERE i.organization_id = $1 GROUP BY i.organization_id, i.id
    HAVING i.subtotal_amount <> coalesce(sum(l.amount), 0)`,

  "invoice numbers have gaps (rule I1)": `
    SELECT concat_ws(' ', c.id, 'counted', c.invoice_sequence, 'has', string_agg(right(i.number, 4), ' ' ORDER BY i.number)) AS about
    FROM customers c LEFT JOIN invoices i ON (i.organization_id, i.customer_id) = (c.organization_id, c.id)
    WHERE c.organization_id = $1 GROUP BY c.organization_id, c.id
    HAVING count(i.id) <> c.invoice_sequence OR coalesce(max(right(i.number, 4)::int), 0) <> c.invoice_sequence`,

  "a paid invoice has not exactly one payment of its amount (rule D1)": `
    SELECT concat_ws(' ', i.id, i.amount_paid, 'payments', string_agg(p.id || ' ' || p.amount, ' ')) AS about
    FROM invoices i LEFT JOIN payments p
      ON (p.organization_id, p.invoice_id) = (i.organization_id, i.id) AND p.kind = 'charge' AND p.status = 'succeeded'
    WHERE i.organization_id = $1 AND i.status = 'paid' GROUP BY i.organization_id, i.id
    HAVING count(p.id) <> CASE WHEN i.amount_due > 0 THEN 1 ELSE 0 END OR coalesce(sum(p.amount), 0) <> i.amount_paid`,

  "a payment bought nothing, nor went to the balance (rule S5)": `
    SELECT concat_ws(' ', p.id, p.amount, 'for invoice', p.invoice_id, i.status) AS about
    FROM payments p LEFT JOIN invoices i ON (i.organization_id, i.id) = (p.organization_id, p.invoice_id)
    LEFT JOIN ledger_transfers t ON (t.organization_id, t.source_id, t.kind) = (p.organization_id, p.id, 'unapplied_payment')
    WHERE p.organization_id = $1 AND p.kind = 'charge' AND p.status = 'succeeded'
      AND i.status IS DISTINCT FROM 'paid' AND t.amount IS DISTINCT FROM p.amount`,

  "a thing to be paid has several live or won attempts (rule D1)": `
    SELECT concat_ws(' ', source_id, string_agg(id || ' ' || status, ' ')) AS about
    FROM payments WHERE organization_id = $1 AND status <> 'failed' GROUP BY source_id HAVING count(*) > 1`,

  "an invoice's state was not told exactly once": `
    SELECT concat_ws(' ', i.id, i.status, 'events', string_agg(e.type, ' ' ORDER BY e.sequence)) AS about
    FROM invoices i LEFT JOIN events e ON (e.organization_id, e.resource_id) = (i.organization_id, i.id)
    WHERE i.organization_id = $1 GROUP BY i.organization_id, i.id
    HAVING count(*) FILTER (WHERE e.type = 'invoice.created') <> 1
      OR count(*) FILTER (WHERE e.type = 'invoice.paid') <> CASE i.status WHEN 'paid' THEN 1 ELSE 0 END
      OR count(*) FILTER (WHERE e.type = 'invoice.voided') <> CASE i.status WHEN 'void' THEN 1 ELSE 0 END`,

  "a payment's outcome was not told exactly once": `
    SELECT concat_ws(' ', p.id, p.status, 'events', string_agg(e.type, ' ' ORDER BY e.sequence)) AS about
    FROM payments p LEFT JOIN events e ON (e.organization_id, e.resource_id) = (p.organization_id, p.id)
    WHERE p.organization_id = $1 AND p.kind = 'charge' GROUP BY p.organization_id, p.id
    HAVING count(*) FILTER (WHERE e.type = 'payment.succeeded') <> CASE p.status WHEN 'succeeded' THEN 1 ELSE 0 END
      OR count(*) FILTER (WHERE e.type = 'payment.failed') <> CASE p.status WHEN 'failed' THEN 1 ELSE 0 END`,

  "the events of a resource are not numbered 1 to n": `
    WITH resource AS (${["customers", "checkouts", "subscriptions", "invoices", "payments", "benefit_grants", "products"]
      .map((table) => `SELECT organization_id, id, event_sequence FROM ${table} WHERE organization_id = $1`)
      .join(" UNION ALL ")})
    SELECT concat_ws(' ', r.id, 'counted', r.event_sequence, 'has', string_agg(e.sequence::text, ' ' ORDER BY e.sequence)) AS about
    FROM resource r LEFT JOIN events e ON (e.organization_id, e.resource_id) = (r.organization_id, r.id)
    GROUP BY r.id, r.event_sequence
    HAVING count(e.id) <> r.event_sequence OR coalesce(max(e.sequence), 0) <> r.event_sequence`,

  "what a Customer owes, paid or has in their favour is not what the ledger says (rule I4)": `
    WITH entry AS (
      SELECT customer_id, currency, debit_account AS account, amount FROM ledger_transfers WHERE organization_id = $1
      UNION ALL
      SELECT customer_id, currency, credit_account, -amount FROM ledger_transfers WHERE organization_id = $1
    ), fact AS (
      SELECT customer_id, currency, 'receivable' AS account, amount_due AS amount FROM invoices
      WHERE organization_id = $1 AND status = 'open'
      UNION ALL
      SELECT customer_id, currency, 'provider', amount FROM payments
      WHERE organization_id = $1 AND kind = 'charge' AND status = 'succeeded'
      UNION ALL
      SELECT customer_id, currency, 'balance', -amount FROM balances WHERE organization_id = $1
    ), posted AS (SELECT customer_id, currency, account, sum(amount) AS amount FROM entry GROUP BY 1, 2, 3),
    meant AS (SELECT customer_id, currency, account, sum(amount) AS amount FROM fact GROUP BY 1, 2, 3)
    SELECT concat_ws(' ', customer_id, currency, account, 'ledger', posted.amount, 'fact', meant.amount) AS about
    FROM posted FULL JOIN meant USING (customer_id, currency, account)
    WHERE account IN ('receivable', 'provider', 'balance') AND coalesce(posted.amount, 0) <> coalesce(meant.amount, 0)`,

  "a balance is not the sum of its entries": `
    SELECT concat_ws(' ', customer_id, currency, b.amount, 'entries', e.amount) AS about
    FROM (SELECT customer_id, currency, amount FROM balances WHERE organization_id = $1) b
    FULL JOIN (SELECT customer_id, currency, sum(amount) AS amount FROM balance_entries WHERE organization_id = $1 GROUP BY 1, 2) e
      USING (customer_id, currency)
    WHERE b.amount IS DISTINCT FROM e.amount`,

  "a Checkout is being paid, but by no payment": `
    SELECT c.id AS about FROM checkouts c
    LEFT JOIN payments p ON (p.organization_id, p.source_id) = (c.organization_id, c.id) AND p.settled_at IS NULL
    WHERE c.organization_id = $1 AND (c.status = 'processing') <> (p.id IS NOT NULL)`,

  "a change is being paid, but by no payment, or its Subscription does not know": `
    SELECT concat_ws(' ', s.id, 'waits for', s.change_id, 'pending', c.id, 'payment', p.id) AS about
    FROM (SELECT id, change_id FROM subscriptions WHERE organization_id = $1 AND change_id IS NOT NULL) s
    FULL JOIN (SELECT id, subscription_id FROM changes WHERE organization_id = $1 AND status = 'pending') c ON c.id = s.change_id
    FULL JOIN (SELECT id, change_id FROM payments WHERE organization_id = $1 AND change_id IS NOT NULL AND settled_at IS NULL) p
      ON p.change_id = c.id
    WHERE s.id IS NULL OR c.id IS NULL OR p.id IS NULL OR c.subscription_id <> s.id`,

  "what is granted is not what the Subscription's Product has (rule B1)": `
    WITH entitled AS (
      SELECT s.id AS subscription_id, unnest(p.benefit_ids) AS benefit_id
      FROM subscriptions s JOIN products p ON (p.organization_id, p.id) = (s.organization_id, s.product_id)
      WHERE s.organization_id = $1 AND s.status <> 'canceled' AND NOT s.grants_suspended
    ), granted AS (
      SELECT subscription_id, benefit_id FROM benefit_grants
      WHERE organization_id = $1 AND status = 'active' AND subscription_id IS NOT NULL
    )
    SELECT concat_ws(' ', 'entitled', e.subscription_id, e.benefit_id, 'granted', g.subscription_id, g.benefit_id) AS about
    FROM entitled e FULL JOIN granted g ON (g.subscription_id, g.benefit_id) = (e.subscription_id, e.benefit_id)
    WHERE e.benefit_id IS NULL OR g.benefit_id IS NULL`,

  "an Idempotency-Key is stuck": `
    SELECT concat_ws(' ', k.key, k.method, k.path) AS about FROM idempotency_keys k
    WHERE k.organization_id = $1 AND k.status IS NULL AND NOT k.withheld AND NOT EXISTS (
      SELECT 1 FROM changes c WHERE c.organization_id = $1 AND c.status = 'pending' AND c.idempotency->>'key' = k.key)`,
};

const statements = Object.entries(RULES).map(([broken, text], n) => ({ broken, statement: sql(`audit.${n}`, text) }));
const capturesStatement = sql(
  "audit.captures",
  `SELECT id, amount, currency FROM payments WHERE organization_id = $1 AND kind = 'charge' AND status = 'succeeded' ORDER BY id`,
);

/** Everything that the sandbox's provider took in for an Organization, by its own book. */
export async function readBook(db: Database, organizationId: string): Promise<BookedCharge[]> {
  const provider = createSandboxProvider({ db, publicOrigin: "" });
  const booked: BookedCharge[] = [];
  for (let page = await provider.book(organizationId); page.length > 0; page = await provider.book(organizationId, page.at(-1)!.key)) {
    booked.push(...page);
  }
  return booked;
}

/**
 * Charges that only the provider or only we know of, each told by key and amount. One that is still to be settled is known to the
 * provider first: to be asked when nothing is.
 */
async function compareBooks(db: Database, organizationId: string): Promise<string[]> {
  const ours = await db.read.query<{ id: string; amount: number; currency: string }>(capturesStatement, [organizationId]);
  const own = new Set(ours.map(({ id, amount, currency }) => `${id} ${amount} ${currency}`));
  const booked = new Set((await readBook(db, organizationId)).map(({ key, amount, currency }) => `${key} ${amount} ${currency}`));
  return [
    ...[...booked.difference(own)].map((charge) => `the provider charged what we don't know of: ${charge}`),
    ...[...own.difference(booked)].map((charge) => `the provider knows nothing of a payment: ${charge}`),
  ];
}

/** What of an Organization at rest does not agree with itself, or with the provider's book; each a line that names the ids. */
export async function audit(db: Database, organizationId: string): Promise<string[]> {
  const found: string[] = [];
  for (const { broken, statement } of statements) {
    const rows = await db.read.query<{ about: string }>(statement, [organizationId]);
    found.push(...rows.map(({ about }) => `${broken}: ${about}`));
  }
  return [...found, ...(await compareBooks(db, organizationId))];
}
