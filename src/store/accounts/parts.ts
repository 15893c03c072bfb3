import type { AccountRows, LoadedAccount } from "../../domain/account/account.ts";
import { keyOf, type Part } from "../../domain/account/parts.ts";
import { formatInstant } from "../../domain/calendar.ts";
import { balanceEntries } from "../balances.ts";
import { benefitGrants } from "../benefit-grants.ts";
import { benefits } from "../benefits.ts";
import { changes } from "../changes.ts";
import { checkouts } from "../checkouts.ts";
import { sql, type Statement, type Tx } from "../db.ts";
import { discounts } from "../discounts.ts";
import { disputes } from "../disputes.ts";
import { invoiceLines } from "../invoice-lines.ts";
import { invoices } from "../invoices.ts";
import { ledger } from "../ledger.ts";
import { hasSource, isFor, payments } from "../payments.ts";
import { products } from "../products.ts";
import { refunds } from "../refunds.ts";
import { subscriptions } from "../subscriptions.ts";
import { givenBack } from "./given-back.ts";

/** The rows of one table that a kind of part brings, each with the `n` of the asker as `owner`. */
type Reading = { table: keyof AccountRows; statement: Statement };
type Value = string | number;
/** `types`: of the values that parts of this kind have; they are the columns `k.a` and `k.b` of the asked rows. */
type Kind<Name extends Part["part"]> = {
  types: readonly string[];
  values: (part: Extract<Part, { part: Name }>) => readonly Value[];
  readings: readonly Reading[];
};

/** The parts that are asked for, as rows `k (organization_id, customer_id, a, b, n)`; `n` counts from 1. */
const askedRows = (types: readonly string[]) =>
  `unnest($1::text[], $2::text[]${types.map((type, n) => `, $${n + 3}::${type}[]`).join("")})
     WITH ORDINALITY AS k (organization_id, customer_id, ${["a", "b"].slice(0, types.length).map((name) => `${name}, `).join("")}n)`;

/** Rows `x` of one table; `condition` says which of them an asker `k` gets, beside that they are of the same Organization. */
function reading(part: string, table: keyof AccountRows, columns: string, from: string, order = ""): Reading {
  const text = `SELECT ${columns}, k.n AS owner ${from}${order}`;
  return { table, statement: sql(`accounts.part_${part}_${table}`, text) };
}

const OWN = "x.customer_id = k.customer_id";

function kind<Name extends Part["part"]>(
  name: Name,
  types: readonly string[],
  values: Kind<Name>["values"],
  readings: (from: (table: string, condition: string) => string, k: string) => readonly Reading[],
): [Name, Kind<Name>] {
  const k = askedRows(types);
  const from = (table: string, condition: string) => `FROM ${k} JOIN ${table} x ON x.organization_id = k.organization_id AND ${condition}`;
  return [name, { types, values, readings: readings(from, k) }];
}

/** A kind of part that brings rows of one table, all of them the Customer's. */
function simple<Name extends Part["part"]>(
  name: Name,
  table: keyof AccountRows,
  [sqlName, columns]: readonly [string, string],
  condition: string,
  values: Kind<Name>["values"],
  { types = ["text"], order = "" } = {},
): [Name, Kind<Name>] {
  const where = condition === "" ? OWN : `${OWN} AND ${condition}`;
  return kind(name, types, values, (from) => [reading(name, table, columns, from(sqlName, where), order)]);
}

const SUBSCRIPTIONS = ["subscriptions", subscriptions.columns("x")] as const;
const PAYMENTS = ["payments", payments.columns("x")] as const;
const CHECKOUTS = ["checkouts", checkouts.columns("x")] as const;
const CHANGES = ["changes", changes.columns("x")] as const;
const REFUNDS = ["refunds", refunds.columns("x")] as const;
const DISPUTES = ["disputes", disputes.columns("x")] as const;
const ENTRIES = ["balance_entries", balanceEntries.columns("x")] as const;
const TRANSFERS = ["ledger_transfers", ledger.columns("x")] as const;
const TRIALS = ["trials", `x.group_key AS id, x.subscription_id AS "subscriptionId"`] as const;
const LOCKED = " ORDER BY x.organization_id, x.id FOR UPDATE OF x";
const NONE = { types: [] as string[] };

const LINES_OF_X = "JOIN invoice_lines l ON l.organization_id = x.organization_id AND l.invoice_id = x.id";
const BENEFIT_OF_X = "JOIN benefits b ON b.organization_id = x.organization_id AND b.id = x.benefit_id";

/** Grants with their Benefits, those of deleted Benefits as well: a revocation shows its Benefit. */
function grants<Name extends Part["part"]>(
  name: Name,
  types: readonly string[],
  condition: string,
  values: Kind<Name>["values"],
): [Name, Kind<Name>] {
  return kind(name, types, values, (from) => {
    const found = from("benefit_grants", `${OWN} AND ${condition}`);
    return [
      reading(name, "grants", benefitGrants.columns("x"), found),
      reading(name, "benefits", benefits.columns("b"), `${found} ${BENEFIT_OF_X}`),
    ];
  });
}

// With the Product come those that the Customer's Subscriptions may need in the same transaction, since whoever changes several Products
// locks them in the order of their ids too. Benefits are locked after the Products: then nobody edits the list of them any more.
const held = (k: string) => `FROM (
     SELECT k.n, k.organization_id, k.a AS id FROM ${k}
     UNION
     SELECT k.n, s.organization_id, named.id FROM ${k}
     JOIN subscriptions s ON s.organization_id = k.organization_id AND s.customer_id = k.customer_id AND s.status <> 'canceled'
     CROSS JOIN LATERAL unnest(ARRAY[s.product_id, s.pending_change ->> 'productId']) AS named (id)) AS k
   JOIN products x ON x.organization_id = k.organization_id AND x.id = k.id ORDER BY x.organization_id, x.id FOR SHARE OF x`;
const grantable = `JOIN benefits b ON b.organization_id = x.organization_id AND b.id = ANY(x.benefit_ids)
   WHERE b.deleted_at IS NULL ORDER BY b.organization_id, b.id FOR KEY SHARE OF b`;

const REDEMPTION = `x.checkout_id AS id, x.organization_id AS "organizationId", x.discount_id AS "discountId"`;
// A Checkout that is nobody's yet may become the Customer's.
const FREE_OR_OWN = `(x.customer_id = k.customer_id OR x.customer_id IS NULL)`;

// In the order in which rows are locked: Products, Benefits, Checkouts, Discounts.
const KINDS = new Map<Part["part"], Kind<Part["part"]>>(
  [
    kind("product_benefits", ["text"], ({ productId }) => [productId], (from, k) => [
      reading("product_benefits", "products", products.columns("x"), held(k)),
      reading("product_benefits", "benefits", benefits.columns("b"), `${from("products", "x.id = k.a")} ${grantable}`),
    ]),
    kind("checkout", ["text"], ({ id }) => [id], (from) => [
      reading("checkout", "checkouts", CHECKOUTS[1], from("checkouts", `x.id = k.a AND ${FREE_OR_OWN}`), LOCKED),
    ]),
    simple("open_checkouts", "checkouts", CHECKOUTS, "x.status = 'open'", () => [], { ...NONE, order: LOCKED }),
    kind("discount", ["text", "text"], ({ id, checkoutId }) => [id, checkoutId], (from) => [
      reading("discount", "discounts", discounts.columns("x"), from("discounts", "x.id = k.a"), LOCKED),
      reading("discount", "redemptions", REDEMPTION, from("discount_redemptions", "x.discount_id = k.a AND x.checkout_id = k.b")),
    ]),
    simple("subscription", "subscriptions", SUBSCRIPTIONS, "x.id = k.a", ({ id }) => [id]),
    kind("invoice", ["text"], ({ id }) => [id], (from) => {
      const found = from("invoices", `${OWN} AND x.id = k.a`);
      return [
        reading("invoice", "invoices", invoices.columns("x"), found),
        reading("invoice", "lines", invoiceLines.columns("l"), `${found} ${LINES_OF_X}`),
      ];
    }),
    kind("given_back", ["text"], ({ invoiceId }) => [invoiceId], (_, k) => givenBack("given_back", k)),
    kind("period", ["text", "timestamptz"], ({ subscriptionId, end }) => [subscriptionId, formatInstant(end)], (_, k) =>
      givenBack("period", k),
    ),
    grants("grants", ["text"], "(x.subscription_id = k.a OR x.invoice_id = k.a)", ({ sourceId }) => [sourceId]),
    grants("purchase_grants", [], "x.status = 'active' AND x.invoice_id IS NOT NULL", () => []),
    grants("stale_grants", ["text", "bigint"], "x.status = 'active' AND x.benefit_id = k.a AND x.benefit_version < k.b", (part) => [
      part.benefitId,
      part.shownVersion,
    ]),
    kind("product", ["text"], ({ id }) => [id], (from) => [
      reading("product", "products", products.columns("x"), from("products", "x.id = k.a")),
    ]),
    kind("product_by_key", ["text"], ({ key }) => [key], (from) => [
      reading("product_by_key", "products", products.columns("x"), from("products", "x.key = k.a")),
    ]),
    simple("change", "changes", CHANGES, "x.id = k.a", ({ id }) => [id]),
    simple("payment", "payments", PAYMENTS, "x.id = k.a", ({ id }) => [id]),
    simple("attempts", "payments", PAYMENTS, hasSource("x", "k.a"), ({ sourceId }) => [sourceId]),
    simple("captured", "payments", PAYMENTS, `${isFor("x", "k.a")} AND x.purpose <> 'setup' AND x.status = 'succeeded'`, (part) => [
      part.invoiceId,
    ]),
    simple("refund", "refunds", REFUNDS, "x.id = k.a", ({ id }) => [id]),
    simple("dispute", "disputes", DISPUTES, "x.id = k.a", ({ id }) => [id]),
    simple("disputes_of", "disputes", DISPUTES, "x.payment_id = k.a", ({ paymentId }) => [paymentId]),
    kind("unsettled_refunds", [], () => [], (from) => {
      const found = from("refunds", `${OWN} AND x.check_at IS NOT NULL`);
      const invoice = `${found} JOIN invoices i ON i.organization_id = x.organization_id AND i.id = x.invoice_id`;
      const line = `${found} JOIN invoice_lines l ON l.organization_id = x.organization_id AND l.invoice_id = x.invoice_id`;
      return [
        reading("unsettled_refunds", "refunds", REFUNDS[1], found),
        reading("unsettled_refunds", "invoices", invoices.columns("i"), invoice),
        reading("unsettled_refunds", "lines", invoiceLines.columns("l"), line),
      ];
    }),
    simple("balance_entries", "balanceEntries", ENTRIES, "", () => [], NONE),
    simple("unapplied", "transfers", TRANSFERS, "x.source_id = k.a AND x.kind = 'unapplied_payment'", ({ paymentId }) => [paymentId]),
    simple("trials", "trials", TRIALS, "", () => [], NONE),
  ] as [Part["part"], Kind<Part["part"]>][],
);

/** The rows that parts have brought for one Account; a later row of the same id is as good as an earlier one. */
export type Brought = { [Name in keyof AccountRows]?: AccountRows[Name][] };
type Asker = { organizationId: string; customerId: string; parts: readonly Part[] };

/** Reads the parts of any number of Customers in one trip: one statement a table and kind of part. Answers rows for each of the askers. */
export async function askParts(tx: Tx, askers: readonly Asker[]): Promise<Brought[]> {
  const asked = Map.groupBy(
    askers.flatMap((asker, n) => asker.parts.map((part) => ({ ...asker, n, part }))),
    ({ part }) => part.part,
  );
  const brought: Brought[] = askers.map(() => ({}));
  const reads: Promise<void>[] = [];
  for (const [name, { types, values, readings }] of KINDS) {
    const wanted = asked.get(name);
    if (!wanted) continue;
    const columns = types.map((_, column) => wanted.map(({ part }) => values(part)[column]));
    const parameters = [wanted.map((each) => each.organizationId), wanted.map((each) => each.customerId), ...columns];
    for (const { table, statement } of readings) {
      const sort = (rows: (AccountRows[typeof table] & { owner: number })[]) => {
        for (const { owner, ...row } of rows) ((brought[wanted[owner - 1]!.n]![table] ??= []) as object[]).push(row);
      };
      reads.push(tx.query<AccountRows[typeof table] & { owner: number }>(statement, parameters).then(sort));
    }
  }
  await Promise.all(reads);
  return brought;
}

/** Another value of the Account: with rows that were brought in the place of those that were there, and with the keys of the parts. */
export function withParts(loaded: LoadedAccount, parts: readonly Part[], brought: Brought): LoadedAccount {
  const rows: Record<string, readonly { id: string }[]> = { ...loaded.rows };
  for (const [table, added] of Object.entries(brought)) {
    rows[table] = [...new Map([...rows[table]!, ...added].map((row) => [row.id, row])).values()];
  }
  return { ...loaded, rows: rows as LoadedAccount["rows"], parts: new Set([...loaded.parts, ...parts.map(keyOf)]) };
}
