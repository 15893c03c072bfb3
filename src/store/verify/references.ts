import { rule, type Rule } from "./rule.ts";

/** Columns that name a row of another table without a foreign key, with the name of that table. */
const REFERENCES = {
  checkouts: {
    customer_id: "customers",
    product_id: "products",
    subscription_id: "subscriptions",
    invoice_id: "invoices",
  },
  emails: {
    customer_id: "customers",
    subscription_id: "subscriptions",
    invoice_id: "invoices",
    payment_id: "payments",
  },
  invoice_lines: { invoice_id: "invoices", subscription_id: "subscriptions" },
  invoices: { customer_id: "customers", subscription_id: "subscriptions" },
  payments: { customer_id: "customers", payment_method_id: "payment_methods" },
} as const;

/** Rows of `table` that name a missing row: their `id`, the column, and the missing id. */
const orphansOf = (table: string, columns: Record<string, string>) =>
  Object.entries(columns)
    .map(
      ([column, target]) => `SELECT r.id, '${column}' AS "column", r.${column} AS missing FROM ${table} r
       WHERE r.organization_id = $1 AND r.${column} IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM ${target} t WHERE t.organization_id = $1 AND t.id = r.${column})`,
    )
    .join(" UNION ALL ");

function reference(what: string, says: string, table: keyof typeof REFERENCES): Rule {
  const query = `SELECT id AS ${what}, "column", missing FROM (${orphansOf(table, REFERENCES[table])}) orphan`;
  return rule(`reference_${table}`, says, query);
}

/** The references that no foreign key enforces. */
export const REFERENCE_RULES: readonly Rule[] = [
  reference(
    "checkout",
    "A Checkout names a Customer, a Product, a Subscription or an invoice that does not exist.",
    "checkouts",
  ),
  reference("email", "An e-mail is about a row that does not exist.", "emails"),
  reference("line", "A line belongs to an invoice or a Subscription that does not exist.", "invoice_lines"),
  reference("invoice", "An invoice belongs to a Customer or a Subscription that does not exist.", "invoices"),
  reference("payment", "A payment belongs to a Customer or a card that does not exist.", "payments"),
];
