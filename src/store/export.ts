import type { Instant } from "../domain/calendar.ts";
import type { BalanceEntry } from "../domain/model/balance.ts";
import type { Benefit } from "../domain/model/benefit.ts";
import type { Customer } from "../domain/model/customer.ts";
import type { Discount } from "../domain/model/discount.ts";
import type { PriceChange } from "../domain/model/price-change.ts";
import type { ProductPrice } from "../resources/export.ts";
import type { Email } from "../domain/model/email.ts";
import type { InvoiceLine } from "../domain/model/invoice.ts";
import type { LicenseActivation } from "../domain/model/license-key.ts";
import { balanceEntries } from "./balances.ts";
import { benefits } from "./benefits.ts";
import { customers } from "./customers.ts";
import { discounts } from "./discounts.ts";
import { emails } from "./emails.ts";
import { sql, type Queryable, type Snapshot } from "./driver/db.ts";
import { filteredList } from "./driver/filtered-list.ts";
import { REAL_NOW } from "./driver/sql-time.ts";
import { invoiceLines } from "./invoice-lines.ts";
import { priceChanges } from "./price-changes.ts";
import { repricedColumns, type ListedRepriced } from "./repriced-subscriptions.ts";
import { licenseActivations } from "./licenses.ts";

// The lists of an export. They come newest first, as the lists of the API do, and return one row more than the page
// holds. The lists of the API leave out deleted rows, or are lists of one Customer or one grant.

export type ExportQuery = { limit: number; cursor?: string | undefined; customerId?: string | undefined };

const byId = { cursor: (value: string) => `id < ${value}` };
const ofCustomer = { customerId: (value: string) => `customer_id = ${value}` };

/** Every Customer, also a deleted one. The row of a deleted Customer has no personal data any more. */
export const listEveryCustomer = filteredList<Customer, "cursor">({
  name: "export.customers",
  select: `SELECT ${customers.columns()} FROM customers WHERE organization_id = $1`,
  order: "id DESC",
  values: byId,
});

/** Every Benefit, also a deleted one. */
export const listEveryBenefit = filteredList<Benefit, "cursor">({
  name: "export.benefits",
  select: `SELECT ${benefits.columns()} FROM benefits WHERE organization_id = $1`,
  order: "id DESC",
  values: byId,
});

/** Every Discount, also a deleted one. */
export const listEveryDiscount = filteredList<Discount, "cursor">({
  name: "export.discounts",
  select: `SELECT ${discounts.columns()} FROM discounts WHERE organization_id = $1`,
  order: "id DESC",
  values: byId,
});

/** The entries of all balances, or of one Customer's. */
export const listEveryBalanceEntry = filteredList<BalanceEntry, "cursor" | "customerId">({
  name: "export.balance_entries",
  select: `SELECT ${balanceEntries.columns()} FROM balance_entries WHERE organization_id = $1`,
  order: "id DESC",
  values: { ...byId, ...ofCustomer },
});

/** The e-mails to all Customers, or to one, with their messages. */
export const listEveryEmail = filteredList<Email, "cursor" | "customerId">({
  name: "export.emails",
  select: `SELECT ${emails.columns()} FROM emails WHERE organization_id = $1`,
  order: "id DESC",
  values: { ...byId, ...ofCustomer },
});

/** The devices of all license keys, or of those of one Customer. */
export const listEveryActivation = filteredList<LicenseActivation, "cursor" | "customerId">({
  name: "export.license_activations",
  select: `SELECT ${licenseActivations.columns("a")} FROM license_activations a
   JOIN benefit_grants g ON (g.organization_id, g.id) = (a.organization_id, a.grant_id)
   WHERE a.organization_id = $1`,
  order: "a.id DESC",
  values: { cursor: (value) => `a.id < ${value}`, customerId: (value) => `g.customer_id = ${value}` },
});

/** The rounds of new prices of all Products. */
export const listEveryPriceChange = filteredList<PriceChange, "cursor">({
  name: "export.price_changes",
  select: `SELECT ${priceChanges.columns()} FROM price_changes WHERE organization_id = $1`,
  order: "id DESC",
  values: byId,
});

/**
 * The Subscriptions of all rounds of new prices, those of the newest round first. The id of a row, which is its cursor,
 * is that of the round and that of the Subscription.
 */
export const listEveryRepriced = filteredList<ListedRepriced, "cursor">({
  name: "export.price_change_subscriptions",
  select: `SELECT r.price_change_id || ' ' || r.subscription_id AS id, ${repricedColumns("r")}
   FROM price_change_subscriptions r WHERE r.organization_id = $1`,
  order: "r.price_change_id DESC, r.subscription_id DESC",
  values: {
    cursor: (value) =>
      `(r.price_change_id, r.subscription_id) < (split_part(${value}, ' ', 1), split_part(${value}, ' ', 2))`,
  },
});

const pricesStatement = sql(
  "export.product_prices",
  `SELECT product_id AS "productId", currency, amount, valid_from AS "from", valid_until AS until FROM product_prices
   WHERE organization_id = $1 AND product_id = ANY($2::text[]) AND (valid_until IS NULL OR valid_until > valid_from)
   ORDER BY product_id DESC, currency, valid_from DESC`,
);

/** The prices of Products with their times in the catalogue. */
export function pricesOfProducts(
  db: Queryable,
  organizationId: string,
  productIds: readonly string[],
): Promise<ProductPrice[]> {
  return db.query<ProductPrice>(pricesStatement, [organizationId, productIds]);
}

/** A line that waits for the next invoice of its Subscription: the credit or debit of a change within a period. */
export type WaitingLine = InvoiceLine & { customerId: string };

/** The lines that are on no invoice yet, of all Customers or of one. */
export const listEveryWaitingLine = filteredList<WaitingLine, "cursor" | "customerId">({
  name: "export.waiting_lines",
  select: `SELECT ${invoiceLines.columns("l")}, s.customer_id AS "customerId" FROM invoice_lines l
   JOIN subscriptions s ON (s.organization_id, s.id) = (l.organization_id, l.subscription_id)
   WHERE l.organization_id = $1 AND l.invoice_id IS NULL`,
  order: "l.id DESC",
  values: { cursor: (value) => `l.id < ${value}`, customerId: (value) => `s.customer_id = ${value}` },
});

// An export of millions of rows takes minutes, and drawing its PDFs takes longer. The pause between two statements is
// the drawing, or a slow disk.
const beginStatement = sql(
  "export.begin",
  `SELECT ${REAL_NOW} AS "takenAt", set_config('statement_timeout', '0', true) AS statements,
     set_config('idle_in_transaction_session_timeout', '0', true) AS pauses`,
);

/**
 * Takes the snapshot of an export, and answers its instant in real time. Must be the first call in its transaction,
 * which has no time limit afterwards.
 */
export async function beginExport(tx: Snapshot): Promise<Instant> {
  return (await tx.query<{ takenAt: Instant }>(beginStatement))[0]!.takenAt;
}

/** The tables that an Organization's export reads. */
export const EXPORTED_TABLES = [
  "audit_log",
  "balance_entries",
  "benefit_grants",
  "benefits",
  "checkouts",
  "credit_notes",
  "customers",
  "discounts",
  "disputes",
  "emails",
  "events",
  "invoice_lines",
  "invoices",
  "license_activations",
  "payment_links",
  "payment_methods",
  "payments",
  "price_change_subscriptions",
  "price_changes",
  "product_prices",
  "products",
  "refunds",
  "subscriptions",
  "stripe_customers",
  "stripe_requests",
  "webhook_endpoints",
] as const;
export type ExportedTable = (typeof EXPORTED_TABLES)[number];

/** Values that a row's line shows and that are not in the row. A Checkout expires without a change of its row. */
const SHOWN_BESIDE: Partial<Record<ExportedTable, { value: string; join: string }>> = {
  audit_log: {
    value: "COALESCE(u.name, k.name, '')",
    join: `LEFT JOIN users u ON u.id = t.actor_id
     LEFT JOIN api_keys k ON k.organization_id = t.organization_id AND k.id = t.actor_id`,
  },
  checkouts: {
    value: `(t.status = 'open' AND t.expires_at <= COALESCE(o.clock_at, statement_timestamp()))::text`,
    join: "JOIN organizations o ON o.id = t.organization_id",
  },
};

function stateStatement(table: ExportedTable) {
  const { value, join } = SHOWN_BESIDE[table] ?? { value: "''", join: "" };
  return sql(
    `export.state_${table}`,
    `SELECT count(*)::text || ':' || COALESCE(sum(hashtextextended(t::text || ${value}, 0)), 0)::text AS state
     FROM ${table} t ${join} WHERE t.organization_id = $1`,
  );
}
const stateStatements = new Map(EXPORTED_TABLES.map((table) => [table, stateStatement(table)]));

/**
 * A text that differs once the Organization's rows of a table differ: their number, and the sum of the hashes of the
 * rows as texts. A hash has 64 bits. A row costs PostgreSQL some 3 µs, a tenth of the cost of writing its line.
 */
export async function stateOf(tx: Snapshot, organizationId: string, table: ExportedTable): Promise<string> {
  return (await tx.query<{ state: string }>(stateStatements.get(table)!, [organizationId]))[0]!.state;
}
