import type pg from "pg";
import { instant } from "../src/domain/calendar.ts";
import type { Statement, Read } from "../src/store/driver/db.ts";
import { LARGE_TABLES } from "./many-rows.ts";
import { listCheckouts } from "../src/store/checkouts.ts";
import { findByExternalId, listByEmail, listCustomers } from "../src/store/customers.ts";
import { listDisputes } from "../src/store/disputes.ts";
import { listInvoices } from "../src/store/invoices.ts";
import { listPayments } from "../src/store/payments.ts";
import { listRefunds } from "../src/store/refunds.ts";
import { customersByCard, customersNamed } from "../src/store/search.ts";
import { listSubscriptions } from "../src/store/subscriptions.ts";

/** A page of the dashboard: its name, and the reads that it makes. `n`: a copy of `createManyRows`. */
export type Page = { name: string; read(db: Read, organizationId: string, n: number): Promise<unknown> };

const LIMIT = { limit: 50 };
const id = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, "0")}`;
const list =
  <Query extends { limit: number }>(
    read: (db: Read, organizationId: string, query: Query) => Promise<unknown>,
    name: string,
  ) =>
  (filter: string, query: (n: number) => Omit<Query, "limit">): Page => ({
    name: filter === "" ? name : `${name}, ${filter}`,
    read: (db, organizationId, n) => read(db, organizationId, { ...query(n), ...LIMIT } as Query),
  });

const customers = list(listCustomers, "Customers");
const subscriptions = list(listSubscriptions, "Subscriptions");
const invoices = list(listInvoices, "Invoices");
const payments = list(listPayments, "Payments");
const refunds = list(listRefunds, "Refunds");
const disputes = list(listDisputes, "Disputes");
const checkouts = list(listCheckouts, "Checkouts");

/** Every list, each of its filters alone, and each way of the search. The rare states are those of one copy in 1000. */
export const PAGES: readonly Page[] = [
  customers("", () => ({})),
  customers("a later page", (n) => ({ cursor: id("cus", n) })),
  customers("by e-mail", (n) => ({ email: `buyer-${n}@example.com` })),
  customers("by a part of the e-mail", (n) => ({ search: `${n}@example.com` })),
  customers("by a part that is missing", () => ({ search: "zebra crossing" })),
  customers("by external id", (n) => ({ externalId: `buyer-${n}` })),
  subscriptions("", () => ({})),
  subscriptions("past due", () => ({ status: "past_due" as const })),
  subscriptions("trialing", () => ({ status: "trialing" as const })),
  subscriptions("by external id", (n) => ({ externalCustomerId: `buyer-${n}` })),
  subscriptions("of an unsold Product", () => ({ productId: id("prd", 0) })),
  invoices("", () => ({})),
  invoices("open", () => ({ status: "open" as const })),
  invoices("void", () => ({ status: "void" as const })),
  invoices("of changes", () => ({ reason: "product_change" as const })),
  invoices("by number", (n) => ({ number: `COPY-${n}` })),
  invoices("of a Customer", (n) => ({ customerId: id("cus", n) })),
  invoices("between two days", () => ({ createdFrom: instant(0), createdUntil: instant(Date.UTC(2100, 0)) })),
  invoices("before a day", () => ({ createdUntil: instant(Date.UTC(2000, 0)) })),
  invoices("oldest first, a later page", (n) => ({ sort: "oldest" as const, cursor: id("inv", n) })),
  payments("oldest first", () => ({ sort: "oldest" as const })),
  customers("newest first, a later page", (n) => ({ sort: "newest" as const, cursor: id("cus", n) })),
  subscriptions("oldest first", () => ({ sort: "oldest" as const })),
  checkouts("oldest first", () => ({ sort: "oldest" as const })),
  payments("", () => ({})),
  payments("failed", () => ({ status: "failed" as const })),
  payments("failed, a later page", (n) => ({ status: "failed" as const, cursor: id("pay", n) })),
  payments("unknown", () => ({ status: "unknown" as const })),
  payments("of changes", () => ({ trigger: "product_change" as const })),
  payments("of an invoice", (n) => ({ invoiceId: id("inv", n) })),
  payments("of a Subscription", (n) => ({ subscriptionId: id("sub", n) })),
  refunds("", () => ({})),
  refunds("failed", () => ({ status: "failed" as const })),
  refunds("of a Subscription", (n) => ({ subscriptionId: id("sub", n) })),
  disputes("", () => ({})),
  disputes("open", () => ({ status: "open" as const })),
  disputes("of a Customer", (n) => ({ customerId: id("cus", n) })),
  checkouts("", () => ({})),
  checkouts("open", () => ({ status: "open" as const })),
  checkouts("being paid", () => ({ status: "processing" as const })),
  checkouts("of an unsold Product", () => ({ productId: id("prd", 0) })),
  checkouts("of a Subscription", (n) => ({ subscriptionId: id("sub", n) })),
  { name: "Search, e-mail", read: (db, org, n) => listByEmail(db, org, `buyer-${n}@example.com`, 10) },
  { name: "Search, external id", read: (db, org, n) => findByExternalId(db, org, `buyer-${n}`) },
  { name: "Search, name", read: (db, org) => customersNamed(db, org, "given", 10) },
  {
    name: "Search, last word of the name",
    read: (db, org, n) => customersNamed(db, org, `family${String(n).padStart(7, "0")}`, 10),
  },
  { name: "Search, company", read: (db, org) => customersNamed(db, org, "Company", 10) },
  { name: "Search, last four digits", read: (db, org) => customersByCard(db, org, "4242", 50) },
];

/** The statements that a page sends, with their values. */
async function statementsOf(page: Page, organizationId: string, n: number): Promise<[Statement, unknown[]][]> {
  const sent: [Statement, unknown[]][] = [];
  const record: Read = {
    kind: "read",
    query: async (statement, values = []) => (sent.push([statement, values]), []),
  };
  await page.read(record, organizationId, n);
  return sent;
}

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Node[];
};

/**
 * The plan of one statement. `indexes`: in the order of the plan. `scanned`: large tables that are read in full.
 * `rows`: the rows of all scans, with those that a filter removed.
 */
export type Plan = { name: string; indexes: string[]; scanned: string[]; rows: number; milliseconds: number };

function readPlan(name: string, root: Node, milliseconds: number): Plan {
  const nodes: Node[] = [];
  const walk = (node: Node) => {
    nodes.push(node);
    node.Plans?.forEach(walk);
  };
  walk(root);
  const scans = nodes.filter((node) => node["Node Type"].includes("Scan"));
  const rowsOf = (node: Node) => node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
  return {
    name,
    indexes: [...new Set(scans.flatMap((node) => node["Index Name"] ?? []))],
    scanned: scans
      .filter((node) => node["Node Type"].includes("Seq Scan"))
      .map((node) => node["Relation Name"] ?? "")
      .filter((table) => LARGE_TABLES.includes(table)),
    rows: Math.round(scans.reduce((sum, node) => sum + rowsOf(node), 0)),
    milliseconds,
  };
}

const literal = (value: unknown) => {
  if (value === null || value === undefined) return "NULL";
  if (Array.isArray(value)) return `'{${value.map((each) => JSON.stringify(String(each))).join(", ")}}'`;
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
};

/** Runs a statement with the plan that PostgreSQL keeps for all values. */
export async function explain(client: pg.Client, { name, text }: Statement, values: unknown[]): Promise<Plan> {
  await client.query("SET plan_cache_mode = force_generic_plan");
  await client.query(`PREPARE planned AS ${text}`);
  const given = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
  const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE planned${given}`);
  const [found] = (rows[0] as { "QUERY PLAN": [{ Plan: Node; "Execution Time": number }] })["QUERY PLAN"];
  await client.query("DEALLOCATE planned");
  return readPlan(name, found.Plan, found["Execution Time"]);
}

/**
 * Runs the statements of a page with the plan that PostgreSQL keeps for all values. It is the worst case: for the first
 * calls of a connection, PostgreSQL plans each statement for its values.
 */
export async function plansOf(client: pg.Client, page: Page, organizationId: string, n: number): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const [statement, values] of await statementsOf(page, organizationId, n))
    plans.push(await explain(client, statement, values));
  return plans;
}
