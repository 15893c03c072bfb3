import type { LoadedBilling } from "../../domain/billing/customer-billing.ts";
import { keyOf, type Part } from "../../domain/billing/parts.ts";
import { formatInstant } from "../../domain/calendar.ts";
import type { Product } from "../../domain/model/product.ts";
import { sql, type Snapshot, type Statement, type Tx } from "../driver/db.ts";
import { hasSource } from "../payments.ts";
import { openItemsOf } from "./open-items.ts";
import { invoiceReturns } from "./returns.ts";
import { askersBy, formOf, formsBy, inForm, KEY_KINDS, keyOfRow, nameIn, toParameters, type KeyKind } from "./keys.ts";
import { bring, bringGifts, toRow, type FoundRow, type RowName, type Rows } from "./rows.ts";

type Value = string | number | null;
type PartName = Part["part"];
/**
 * How parts of one kind are read. `types`: the types of a part's values, which are the columns `a` and `b` of the
 * askers. `texts`: the statements for askers `k`. A part with a lock needs a separate statement for the lock.
 */
type Kind<Name extends PartName> = {
  types: readonly string[];
  values(part: Extract<Part, { part: Name }>): readonly Value[];
  texts(k: string): readonly string[];
};

const kindOf = <Name extends PartName>(
  types: readonly string[],
  values: Kind<Name>["values"],
  texts: Kind<Name>["texts"],
): Kind<Name> => ({ types, values, texts });

/** Rows `x` of a table in the Organization of the asker that fulfil the condition. */
const joined = (k: string, table: string, condition: string) =>
  `FROM ${k} JOIN ${table} x ON x.organization_id = k.organization_id AND ${condition}`;
const OWN = "x.customer_id = k.customer_id";
const owned = (k: string, table: string, condition: string) =>
  joined(k, table, condition === "" ? OWN : `${OWN} AND ${condition}`);

/** Rows of one table that belong to the Customer. */
const simple = <Name extends PartName>(
  table: RowName,
  sqlName: string,
  condition: string,
  values: Kind<Name>["values"],
  { types = ["text"], order = "" } = {},
): Kind<Name> => kindOf(types, values, (k) => [`${bring(table, "x")} ${owned(k, sqlName, condition)}${order}`]);

const LOCKED = " ORDER BY x.organization_id, x.id FOR UPDATE OF x";
const NONE = { types: [] as string[] };

/** Invoices `x`, and all of their lines. */
const invoicesWithLines = (found: string) =>
  `${bring("invoices", "x")} ${found} UNION ALL
   ${bring("lines", "l")} ${found} JOIN invoice_lines l ON l.organization_id = x.organization_id
   AND l.invoice_id = x.id`;

/** Grants with their Benefits, including deleted Benefits, because a revocation shows its Benefit. */
const grants = <Name extends PartName>(
  types: readonly string[],
  condition: string,
  values: Kind<Name>["values"],
): Kind<Name> =>
  kindOf(types, values, (k) => {
    const found = owned(k, "benefit_grants", condition);
    const benefits = `${found} JOIN benefits b ON b.organization_id = x.organization_id AND b.id = x.benefit_id`;
    return [`${bring("grants", "x")} ${found} UNION ALL ${bring("benefits", "b")} ${benefits}`];
  });

// Also locks the Products that the Customer's Subscriptions may need in the same transaction: a writer of several
// Products must lock all of them together, in the order of their ids. Benefits are locked after the Products, because a
// locked Product's list of Benefits can't be edited any more.
const held = (k: string) => `FROM (
     SELECT k.n, k.organization_id, k.a AS id FROM ${k}
     UNION
     SELECT k.n, s.organization_id, named.id FROM ${k}
     JOIN subscriptions s ON s.organization_id = k.organization_id AND s.customer_id = k.customer_id
     AND s.status <> 'canceled'
     CROSS JOIN LATERAL unnest(ARRAY[s.product_id, s.pending_change ->> 'productId']) AS named (id)) AS k
   JOIN products x ON x.organization_id = k.organization_id AND x.id = k.id ORDER BY x.organization_id, x.id
   FOR SHARE OF x`;
const grantable = `JOIN benefits b ON b.organization_id = x.organization_id AND b.id = ANY(x.benefit_ids)
   WHERE b.deleted_at IS NULL ORDER BY b.organization_id, b.id FOR KEY SHARE OF b`;

// A Checkout without a Customer may get this Customer.
const FREE_OR_OWN = `(x.customer_id = k.customer_id OR x.customer_id IS NULL)`;

const FIRST_PAID = `SELECT min(i.id) FROM invoices i WHERE i.organization_id = k.organization_id
   AND i.subscription_id = k.a AND i.status = 'paid' AND i.total_amount > 0`;

const unsettledRefunds = (k: string) => {
  const found = owned(k, "refunds", "x.check_at IS NOT NULL");
  return `${bring("refunds", "x")} ${found}
     UNION ALL ${bring("invoices", "i")} ${found} JOIN invoices i ON i.organization_id = x.organization_id
     AND i.id = x.invoice_id
     UNION ALL ${bring("lines", "l")} ${found}
       JOIN invoice_lines l ON l.organization_id = x.organization_id AND l.invoice_id = x.invoice_id`;
};

// In the order of the locks: Products, Benefits, Checkouts, Discounts.
const KINDS: { [Name in PartName]: Kind<Name> } = {
  open_items: kindOf(
    [],
    () => [],
    (k) => [openItemsOf(k)],
  ),
  product_benefits: kindOf(
    ["text"],
    ({ productId }) => [productId],
    (k) => [
      `${bring("products", "x")} ${held(k)}`,
      `${bring("benefits", "b")} ${joined(k, "products", "x.id = k.a")} ${grantable}`,
    ],
  ),
  checkout: kindOf(
    ["text"],
    ({ id }) => [id],
    (k) => [`${bring("checkouts", "x")} ${joined(k, "checkouts", `x.id = k.a AND ${FREE_OR_OWN}`)}${LOCKED}`],
  ),
  open_checkouts: simple("checkouts", "checkouts", "x.status = 'open'", () => [], { ...NONE, order: LOCKED }),
  discount: kindOf(
    ["text", "text"],
    ({ id, holderId }) => [id, holderId],
    (k) => [
      `${bring("discounts", "x")} ${joined(k, "discounts", "x.id = k.a")}${LOCKED}`,
      `${bring("redemptions", "x")}
         ${joined(k, "discount_redemptions", "x.discount_id = k.a AND x.checkout_id = k.b")}
       UNION ALL ${bringGifts("x")} ${joined(k, "discount_gifts", "x.discount_id = k.a AND x.subscription_id = k.b")}`,
    ],
  ),
  subscription: simple("subscriptions", "subscriptions", "x.id = k.a", ({ id }) => [id]),
  invoice: kindOf(
    ["text"],
    ({ id }) => [id],
    (k) => [invoicesWithLines(owned(k, "invoices", "x.id = k.a"))],
  ),
  given_back: kindOf(
    ["text"],
    ({ invoiceId }) => [invoiceId],
    (k) => [invoiceReturns("given_back", k)],
  ),
  credited: kindOf(
    ["text"],
    ({ lineId }) => [lineId],
    (k) => [invoiceReturns("credited", k)],
  ),
  period: kindOf(
    ["text", "timestamptz"],
    ({ subscriptionId, end }) => [subscriptionId, end && formatInstant(end)],
    (k) => [invoiceReturns("period", k)],
  ),
  grants: grants(["text"], "(x.subscription_id = k.a OR x.invoice_id = k.a)", ({ sourceId }) => [sourceId]),
  purchase_grants: grants([], "x.status = 'active' AND x.invoice_id IS NOT NULL", () => []),
  stale_grants: grants(
    ["text", "bigint"],
    "x.status = 'active' AND x.benefit_id = k.a AND x.benefit_version < k.b",
    (part) => [part.benefitId, part.shownVersion],
  ),
  product: kindOf(
    ["text"],
    ({ id }) => [id],
    (k) => [`${bring("products", "x")} ${joined(k, "products", "x.id = k.a")}`],
  ),
  product_by_key: kindOf(
    ["text"],
    ({ key }) => [key],
    (k) => [`${bring("products", "x")} ${joined(k, "products", "x.key = k.a")}`],
  ),
  change: simple("changes", "changes", "x.id = k.a", ({ id }) => [id]),
  payment: simple("payments", "payments", "x.id = k.a", ({ id }) => [id]),
  attempts: simple("payments", "payments", hasSource("x", "k.a"), ({ sourceId }) => [sourceId]),
  first_paid: simple("invoices", "invoices", `x.id = (${FIRST_PAID})`, ({ subscriptionId }) => [subscriptionId]),
  refund: simple("refunds", "refunds", "x.id = k.a", ({ id }) => [id]),
  dispute: simple("disputes", "disputes", "x.id = k.a", ({ id }) => [id]),
  disputes_of: simple("disputes", "disputes", "x.payment_id = k.a", ({ paymentId }) => [paymentId]),
  unsettled_refunds: kindOf(
    [],
    () => [],
    (k) => [unsettledRefunds(k)],
  ),
  balances: simple("balances", "balances", "", () => [], NONE),
  open_entries: simple("balanceEntries", "balance_entries", "x.remaining <> 0", () => [], NONE),
  refunds_of: simple("refunds", "refunds", "x.payment_id = k.a", ({ paymentId }) => [paymentId]),
  trials: simple("trials", "trials", "", () => [], NONE),
};
const ORDER = Object.keys(KINDS) as PartName[];

/** A lock at the end of a text. */
const LOCK = /\s+FOR (UPDATE|SHARE|KEY SHARE) OF \w$/;

/** `snapshot`: the statement for snapshots, which is the same one if the statement locks no rows. */
type PartStatement = { tx: Statement; snapshot: Statement };
const statementsBy = new Map<string, PartStatement[]>(
  KEY_KINDS.flatMap((by) =>
    formsBy(by).flatMap((form) =>
      ORDER.map((name) => {
        const { types, texts } = KINDS[name];
        const made = texts(askersBy(by, types, form)).map((text, n) => {
          const whole = `accounts.${name}_of_${form}_by_${by}_${n + 1}`;
          const tx = sql(nameIn(form, whole), inForm(form, text));
          const free = tx.text.replace(LOCK, "");
          return { tx, snapshot: free === tx.text ? tx : sql(nameIn(form, `${whole}_free`), free) };
        });
        return [`${name} ${by} ${form}`, made] as const;
      }),
    ),
  ),
);

/** Rows that parts have brought for one Customer. Two rows with the same id are equal. */
export type Brought = { rows: { [Name in RowName]?: Rows[Name][] }; products: ReadonlyMap<string, Product> };
/** A Customer that parts are asked for. `id` is of the kind `by`. */
type Asker = { organizationId: string; id: string; parts: readonly Part[] };

/**
 * Reads the parts of any number of Customers in one trip, with a statement or two for each kind of part. Locks the rows
 * of some parts, but not in a snapshot. Returns the rows of each asker.
 */
export async function askParts(tx: Tx | Snapshot, by: KeyKind, askers: readonly Asker[]): Promise<Brought[]> {
  const asked = Map.groupBy(
    askers.flatMap((asker, n) => asker.parts.map((part) => ({ ...asker, n, part }))),
    ({ part }) => part.part,
  );
  const products = new Map<string, Product>();
  const brought = askers.map(() => ({ rows: {} as Record<string, unknown[]>, products }));
  const sort = ({ table, owner, row: json }: FoundRow, owners: readonly { n: number }[]) => {
    const row = toRow(table, json);
    if (owner === null) products.set(keyOfRow(row as Product), row as Product);
    else (brought[owners[owner - 1]!.n]!.rows[table] ??= []).push(row);
  };
  const reads: Promise<void>[] = [];
  const read = (name: PartName, wanted: NonNullable<ReturnType<typeof asked.get>>) => {
    const { types, values } = KINDS[name] as Kind<PartName>;
    const columns = types.map((_, column) => wanted.map(({ part }) => values(part)[column]));
    const form = formOf(tx, by, wanted);
    const parameters = toParameters(form, wanted, columns);
    for (const statement of statementsBy.get(`${name} ${by} ${form}`)!) {
      reads.push(
        tx.query<FoundRow>(statement[tx.kind], parameters).then((found) => found.forEach((each) => sort(each, wanted))),
      );
    }
  };
  for (const name of ORDER) {
    const wanted = asked.get(name);
    if (!wanted) continue;
    // Several parts of one kind are read together only by the id of a Customer.
    if (by === "customer") read(name, wanted);
    else for (const each of wanted) read(name, [each]);
  }
  await Promise.all(reads);
  return brought as Brought[];
}

/** The Products of the live Subscriptions and of their pending changes. */
function productsOf({ subscriptions }: LoadedBilling["rows"], known: Brought["products"]): Product[] {
  const live = subscriptions.filter(({ status }) => status !== "canceled");
  const ids = new Set(
    live.flatMap(({ productId, pendingChange }) => [productId, ...(pendingChange ? [pendingChange.productId] : [])]),
  );
  const found = [...ids].map((id) => known.get(keyOfRow({ organizationId: live[0]!.organizationId, id })));
  return found.filter((product) => product !== undefined);
}

/** The key by which a decision asks for a part. For the period in progress, this key contains the end of the period. */
function requestedKey(part: Part, { subscriptions }: LoadedBilling["rows"]): string {
  if (part.part !== "period" || part.end !== null) return keyOf(part);
  const subscription = subscriptions.find(({ id }) => id === part.subscriptionId);
  return keyOf(subscription ? { ...part, end: subscription.currentPeriodEnd } : part);
}

/** A copy of the billing with the keys of the parts. Rows that were brought replace the earlier ones. */
export function withParts(
  loaded: LoadedBilling,
  parts: readonly Part[],
  { rows: added, products }: Brought,
): LoadedBilling {
  const { balances: found = loaded.balances, ...brought } = added;
  // Two parts bring the balances.
  const balances = [...new Map(found.map((balance) => [balance.currency, balance])).values()];
  const rows: Record<string, readonly { id: string }[]> = { ...loaded.rows };
  const shared = parts.some(({ part }) => part === "open_items") ? productsOf(loaded.rows, products) : [];
  for (const [table, some] of Object.entries({ ...brought, products: [...shared, ...(brought.products ?? [])] })) {
    if (some.length > 0) rows[table] = [...new Map([...rows[table]!, ...some].map((row) => [row.id, row])).values()];
  }
  const keys = parts.map((part) => requestedKey(part, loaded.rows));
  return { ...loaded, balances, rows: rows as LoadedBilling["rows"], parts: new Set([...loaded.parts, ...keys]) };
}
