import { randomBytes } from "node:crypto";
import type { AccountRows, LoadedAccount } from "../../domain/account/account.ts";
import type { Part } from "../../domain/account/parts.ts";
import type { Balance } from "../../domain/balance/balance.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import type { InvoiceLine } from "../../domain/invoice/invoice.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import type { Product } from "../../domain/catalogue/product.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";
import { JUMP_MILLISECONDS } from "../catch-up.ts";
import { changes } from "../changes.ts";
import { checkouts } from "../checkouts.ts";
import { customers } from "../customers.ts";
import { sql, type Statement, type Tx } from "../db.ts";
import { disputes } from "../disputes.ts";
import { invoiceLines } from "../invoice-lines.ts";
import { invoices } from "../invoices.ts";
import { organizations } from "../organizations.ts";
import { paymentMethods } from "../payment-methods.ts";
import { payments } from "../payments.ts";
import { products } from "../products.ts";
import { subscriptions } from "../subscriptions.ts";
import { customersBy, distinctKeys, findAsked, KEY_KINDS, keyOfRow, toColumns, type KeyKind, type RowKey } from "./keys.ts";
import { askParts, withParts, type Brought } from "./parts.ts";

// PostgreSQL keeps the plan of a prepared statement until the table is analysed again. A plan that was made while the table had one page
// reads the whole table, however large the table has become. With these settings every statement of the transaction looks rows up by an
// index, one after the other, whatever the statistics say. PostgreSQL would also plan most of these statements anew each time, since it
// takes an array of unknown length for ten rows and so never finds the kept plan cheaper: planning took 4.6 ms of a PATCH of 7 ms. The
// settings cost 6 µs of PostgreSQL, and touch no other transaction.
const settingsStatement = sql(
  "accounts.settings",
  `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
     set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
);

const REAL_NOW = "date_trunc('milliseconds', statement_timestamp())";
const JUMP = `${JUMP_MILLISECONDS} * interval '1 millisecond'`;
// Read after the locks: PostgreSQL takes the time of a statement when it begins the statement, even where several were sent at once.
const organizationsStatement = sql(
  "accounts.organizations",
  `SELECT ${organizations.columns("o")}, COALESCE(o.clock_at, ${REAL_NOW}) AS now, ${REAL_NOW} AS "realNow",
     (SELECT h.seen_at FROM worker_heartbeat h WHERE h.seen_at < statement_timestamp() - ${JUMP}) AS "unseenSince"
   FROM organizations o WHERE o.id = ANY($1::text[])`,
);

/**
 * Rows `x` of a table that belong to rows before them. OFFSET keeps the look-up apart: a planner that takes a condition for rare, from
 * statistics of a quieter moment, would else begin with all rows that fulfil it. 100 Customers among 1,000 open invoices took 88 ms so.
 */
const lookUp = (table: string, x: string, condition: string) =>
  `CROSS JOIN LATERAL (SELECT * FROM ${table} ${x} WHERE ${condition} OFFSET 0) ${x}`;

/** What is read of every Account, by names; each is one statement for any number of Customers. */
function readingsOf(k: string) {
  const isOwn = "x.organization_id = k.organization_id AND x.customer_id = k.customer_id";
  const ofCustomer = (table: string, condition = "") => `FROM ${k} ${lookUp(table, "x", isOwn + (condition && ` AND ${condition}`))}`;
  const lock = `SELECT ${customers.columns("c")}, c.invoice_sequence AS invoice, c.credit_note_sequence AS "creditNote"
     FROM ${k} JOIN customers c ON c.organization_id = k.organization_id AND c.id = k.customer_id
     ORDER BY c.organization_id, c.id FOR UPDATE OF c`;
  const live = ofCustomer("subscriptions", "x.status <> 'canceled'");
  // An open invoice is always of a Subscription: by that few rows are looked at, by the Customer all invoices that there ever were.
  const open = `${ofCustomer("subscriptions")}
     ${lookUp("invoices", "i", "i.organization_id = x.organization_id AND i.subscription_id = x.id AND i.status = 'open'")}`;
  return {
    lock,
    lock_free: `${lock} SKIP LOCKED`,
    subscriptions: `SELECT ${subscriptions.columns("x")} ${live}`,
    products: `SELECT ${products.columns("p")} FROM products p WHERE (p.organization_id, p.id) IN (
       SELECT x.organization_id, named.id ${live}
       CROSS JOIN LATERAL unnest(ARRAY[x.product_id, x.pending_change ->> 'productId']) AS named (id))`,
    invoices: `SELECT ${invoices.columns("i")} ${open}`,
    lines: `SELECT ${invoiceLines.columns("l")}, x.customer_id AS owner ${open}
       ${lookUp("invoice_lines", "l", "l.organization_id = i.organization_id AND l.invoice_id = i.id")}
       UNION ALL
       SELECT ${invoiceLines.columns("l")}, x.customer_id AS owner ${ofCustomer("subscriptions")}
       ${lookUp("invoice_lines", "l", "l.organization_id = x.organization_id AND l.subscription_id = x.id AND l.invoice_id IS NULL")}`,
    balances: `SELECT x.organization_id AS "organizationId", x.customer_id AS "customerId", x.currency, x.amount
       ${ofCustomer("balances")} ORDER BY x.currency`,
    cards: `SELECT ${paymentMethods.columns("x")} ${ofCustomer("payment_methods")}`,
    payments: `SELECT ${payments.columns("x")} ${ofCustomer("payments", "x.settled_at IS NULL")}
       UNION ALL
       SELECT ${payments.columns("p")} ${ofCustomer("disputes", "x.status <> 'won'")}
       JOIN payments p ON p.organization_id = x.organization_id AND p.id = x.payment_id AND p.settled_at IS NOT NULL`,
    changes: `SELECT ${changes.columns("x")} ${ofCustomer("changes", "x.status = 'pending'")}`,
    checkouts: `SELECT ${checkouts.columns("x")} ${ofCustomer("checkouts", "x.status = 'processing'")}`,
    disputes: `SELECT ${disputes.columns("x")} ${ofCustomer("disputes", "x.status <> 'won'")}`,
  };
}
type Reading = keyof ReturnType<typeof readingsOf>;

const statementsBy = new Map(
  KEY_KINDS.map((by) => [
    by,
    Object.fromEntries(
      Object.entries(readingsOf(customersBy(by))).map(([name, text]) => [name, sql(`accounts.${name}_by_${by}`, text)]),
    ) as Record<Reading, Statement>,
  ]),
);

/** What the loader has to be told, since the database does not know. */
export type Surroundings = { hasProvider(organization: Organization): boolean };

export type LoadOptions = Surroundings & {
  /** Customers that another transaction holds are left out. */
  skipLocked?: boolean;
  /** Parts that every one of the Accounts is to have; for Customers by their own ids they come in the same trip. */
  parts?: readonly Part[];
};

/** An Account, and those of the ids that were asked for which led to it. */
export type FoundAccount = { asked: readonly string[]; loaded: LoadedAccount };

type LockedCustomer = Customer & { invoice: number; creditNote: number };
type Place = { organization: Organization; now: Instant; realNow: Instant; unseenSince: Instant | null };

/**
 * Locks Customers in the order of their keys and reads their Accounts, in one trip: one statement a table for any number of Customers, of
 * any Organizations. `by`: what the ids are of. Deleted Customers are found too, since the rest of theirs is settled as that of others.
 * Ids that do not exist in their Organization are left out. Answers the Accounts in the order of the locks, each once.
 */
export async function loadAccounts(
  tx: Tx,
  by: KeyKind,
  asked: readonly RowKey[],
  { hasProvider, skipLocked = false, parts = [] }: LoadOptions,
): Promise<FoundAccount[]> {
  if (asked.length === 0) return [];
  const keys = distinctKeys(asked);
  const known = by === "customer";
  tx.send(settingsStatement, []);
  const [locked, askedBy, ...read] = await Promise.all([
    tx.query<LockedCustomer>(statementsBy.get(by)![skipLocked ? "lock_free" : "lock"], toColumns(keys)),
    findAsked(tx, by, keys),
    readPlaces(tx, keys),
    readRows(tx, by, keys),
    known ? askParts(tx, keys.map(({ organizationId, id: customerId }) => ({ organizationId, customerId, parts }))) : null,
  ]);
  const [places, rows, brought] = read;
  const positions = new Map(keys.map((key, n) => [keyOfRow(key), n]));
  const found = locked.map((customer) => {
    const key = keyOfRow(customer);
    const loaded = assemble(customer, places.get(customer.organizationId)!, rows, hasProvider);
    return { asked: askedBy.get(key) ?? [], loaded: brought ? withParts(loaded, parts, brought[positions.get(key)!]!) : loaded };
  });
  if (known || parts.length === 0 || found.length === 0) return found;
  const loaded = await loadParts(tx, found.map((each) => ({ loaded: each.loaded, parts })));
  return found.map((each, n) => ({ ...each, loaded: loaded[n]! }));
}

/**
 * The same Accounts with these parts as well, in one trip: one statement a table and kind of part for any number of Accounts. Rows of the
 * parts take the place of those that were loaded before.
 */
export async function loadParts(
  tx: Tx,
  wanted: readonly { loaded: LoadedAccount; parts: readonly Part[] }[],
): Promise<LoadedAccount[]> {
  const asked = wanted.map(({ loaded: { customer }, parts }) => ({
    organizationId: customer.organizationId,
    customerId: customer.id,
    parts,
  }));
  const brought: Brought[] = await askParts(tx, asked);
  return wanted.map(({ loaded, parts }, n) => withParts(loaded, parts, brought[n]!));
}

async function readPlaces(tx: Tx, keys: readonly RowKey[]): Promise<Map<string, Place>> {
  const ids = [...new Set(keys.map(({ organizationId }) => organizationId))];
  const rows = await tx.query<Organization & Omit<Place, "organization">>(organizationsStatement, [ids]);
  return new Map(
    rows.map(({ now, realNow, unseenSince, ...organization }) => [organization.id, { organization, now, realNow, unseenSince }]),
  );
}

type OwnTables = "subscriptions" | "invoices" | "cards" | "payments" | "changes" | "checkouts" | "disputes";
/** Rows by the key of their Customer, and Products by their own. */
type Rows = { [Name in OwnTables | "lines"]: Map<string, AccountRows[Name][]> } & {
  balances: Map<string, Balance[]>;
  products: Map<string, Product>;
};

const byOwner = <Row extends { organizationId: string; customerId: string | null }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ organizationId, customerId }) => `${organizationId} ${customerId}`);

async function readRows(tx: Tx, by: KeyKind, keys: readonly RowKey[]): Promise<Rows> {
  const statements = statementsBy.get(by)!;
  const values = toColumns(keys);
  const read = <Row>(name: Reading) => tx.query<Row>(statements[name], values);
  const own = async <Name extends OwnTables>(name: Name) =>
    byOwner(await read<AccountRows[Name]>(name)) as Map<string, AccountRows[Name][]>;
  const [live, products_, open, lines, balances, cards, live_, pending, paying, standing] = await Promise.all([
    own("subscriptions"),
    read<Product>("products"),
    own("invoices"),
    read<InvoiceLine & { owner: string }>("lines"),
    read<Balance & { organizationId: string; customerId: string }>("balances"),
    own("cards"),
    own("payments"),
    own("changes"),
    own("checkouts"),
    own("disputes"),
  ]);
  const linesByOwner = new Map<string, InvoiceLine[]>();
  for (const { owner, ...line } of lines) {
    const key = keyOfRow({ organizationId: line.organizationId, id: owner });
    linesByOwner.set(key, [...(linesByOwner.get(key) ?? []), line]);
  }
  return {
    subscriptions: live,
    products: new Map(products_.map((product) => [keyOfRow(product), product])),
    invoices: open,
    lines: linesByOwner,
    balances: byOwner(balances),
    cards,
    payments: live_,
    changes: pending,
    checkouts: paying,
    disputes: standing,
  };
}

/** The Products of the Subscriptions and of their pending changes. */
function productsOf(live: readonly Subscription[], known: Rows["products"]): Product[] {
  const ids = new Set(live.flatMap(({ productId, pendingChange }) => [productId, ...(pendingChange ? [pendingChange.productId] : [])]));
  const found = [...ids].map((id) => known.get(keyOfRow({ organizationId: live[0]!.organizationId, id })));
  return found.filter((product) => product !== undefined);
}

function assemble(
  { invoice, creditNote, ...customer }: LockedCustomer,
  { organization, now, realNow, unseenSince }: Place,
  rows: Rows,
  hasProvider: Surroundings["hasProvider"],
): LoadedAccount {
  const key = keyOfRow(customer);
  const live = rows.subscriptions.get(key) ?? [];
  return {
    organization,
    // Time never goes below the instant of the last change, even where a clock was set back under us.
    now: now > customer.updatedAt ? now : customer.updatedAt,
    realNow,
    unseenSince,
    hasProvider: hasProvider(organization),
    customer,
    numbers: { invoice, creditNote },
    balances: (rows.balances.get(key) ?? []).map(({ currency, amount }) => ({ currency, amount })),
    rows: {
      subscriptions: live,
      invoices: rows.invoices.get(key) ?? [],
      lines: rows.lines.get(key) ?? [],
      payments: rows.payments.get(key) ?? [],
      cards: rows.cards.get(key) ?? [],
      checkouts: rows.checkouts.get(key) ?? [],
      changes: rows.changes.get(key) ?? [],
      refunds: [],
      creditNotes: [],
      disputes: rows.disputes.get(key) ?? [],
      grants: [],
      products: productsOf(live, rows.products),
      benefits: [],
      discounts: [],
      redemptions: [],
      trials: [],
      balanceEntries: [],
      transfers: [],
    },
    parts: new Set(),
    entropy: randomBytes,
  };
}
