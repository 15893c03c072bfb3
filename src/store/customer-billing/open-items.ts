import { bring } from "./rows.ts";

/**
 * Looks up rows `x` of a table for each row of the tables to the left. OFFSET 0 keeps PostgreSQL from merging the
 * look-up with the rest. With old statistics PostgreSQL would expect few rows for a condition, and begin with all rows
 * that fulfil it: 100 Customers among 1,000 open invoices took 88 ms.
 */
export const lookUp = (table: string, x: string, condition: string) =>
  `CROSS JOIN LATERAL (SELECT * FROM ${table} ${x} WHERE ${condition} OFFSET 0) ${x}`;

/** Rows `x` of a table that belong to the Customers of the rows `k`. */
export const ofCustomer = (k: string, table: string, condition = "true") =>
  `FROM ${k}
    ${lookUp(table, "x", `x.organization_id = k.organization_id AND x.customer_id = k.customer_id AND ${condition}`)}`;

const UNBILLED = "l.organization_id = k.organization_id AND l.subscription_id = k.id AND l.invoice_id IS NULL";
// An open invoice always has a Subscription. A look-up by Customer would read all invoices ever made.
const OPEN_INVOICE = "i.organization_id = k.organization_id AND i.subscription_id = k.id AND i.status = 'open'";
const OPEN = `FROM s AS k ${lookUp("invoices", "i", OPEN_INVOICE)}`;
const STANDING = `${ofCustomer("k", "disputes", "x.status IN ('open', 'lost')")}
   JOIN payments p ON p.organization_id = k.organization_id AND p.id = x.payment_id AND p.settled_at IS NOT NULL`;

/**
 * The open items of the Customers of askers `k`, in one statement. Customers share Products, so the answer has each
 * Product once.
 */
export const openItemsOf = (k: string) =>
  `WITH k AS MATERIALIZED (SELECT k.organization_id, k.customer_id, k.n FROM ${k}),
     s AS MATERIALIZED (
       SELECT x.organization_id, x.id, k.n, x.status, x.product_id, x.pending_change ->> 'productId' AS next_product_id
       ${ofCustomer("k", "subscriptions")})
   ${bring("products", "p", "NULL")} FROM (
     SELECT DISTINCT s.organization_id, named.id
     FROM s CROSS JOIN LATERAL unnest(ARRAY[s.product_id, s.next_product_id]) AS named (id)
     WHERE s.status <> 'canceled') AS k
     JOIN products p ON p.organization_id = k.organization_id AND p.id = k.id
   UNION ALL ${bring("invoices", "i")} ${OPEN}
   UNION ALL ${bring("lines", "l")} ${OPEN}
     ${lookUp("invoice_lines", "l", "l.organization_id = k.organization_id AND l.invoice_id = i.id")}
   UNION ALL ${bring("lines", "l")} FROM s AS k
     ${lookUp("invoice_lines", "l", UNBILLED)}
   UNION ALL ${bring("balances", "x")} ${ofCustomer("k", "balances")}
   UNION ALL ${bring("cards", "x")} ${ofCustomer("k", "payment_methods")}
   UNION ALL ${bring("payments", "x")} ${ofCustomer("k", "payments", "x.settled_at IS NULL")}
   UNION ALL ${bring("payments", "p")} ${STANDING}
   UNION ALL ${bring("changes", "x")} ${ofCustomer("k", "changes", "x.status = 'pending'")}
   UNION ALL ${bring("checkouts", "x")} ${ofCustomer("k", "checkouts", "x.status = 'processing'")}
   UNION ALL ${bring("disputes", "x")} ${ofCustomer("k", "disputes", "x.status IN ('open', 'lost')")}`;
