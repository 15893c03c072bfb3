import { emailKey, type Customer } from "../domain/model/customer.ts";
import type { ListCustomersQuery } from "../resources/customer.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { expectRaces } from "./driver/failures.ts";
import { filteredList, type CreatedSpan } from "./driver/filtered-list.ts";
import { arraysSql, withArrays } from "./driver/batch-forms.ts";
import { defineTable } from "./driver/table.ts";

export const customers = defineTable<Customer>("customers", {
  organizationId: "plain",
  id: "plain",
  email: "plain",
  emailKey: "plain",
  name: "plain",
  companyName: "plain",
  externalId: "plain",
  billingAddress: "json",
  taxId: "json",
  locale: "plain",
  metadata: "json",
  defaultPaymentMethodId: "plain",
  deletedAt: "instant",
  version: "plain",
  eventSequence: "plain",
  createdAt: "instant",
  updatedAt: "instant",
});

// Two transactions may take the same `externalId` or e-mail at the same moment: the second run finds the other's
// Customer. Two Customers never share the eight characters in their invoice numbers (rule I1): the second run takes
// another id.
expectRaces("customers_external_id", "customers_email", "customers_invoice_code");

const byExternalIdStatement = sql(
  "customers.by_external_id",
  `SELECT ${customers.columns()} FROM customers WHERE organization_id = $1 AND external_id = $2`,
);
const byEmailStatement = sql(
  "customers.by_email",
  `SELECT ${customers.columns()} FROM customers
   WHERE organization_id = $1 AND email_key = $2 AND external_id IS NULL AND deleted_at IS NULL
   ORDER BY shares_email, id LIMIT 1`,
);
const anyByEmailStatement = sql(
  "customers.any_by_email",
  `SELECT ${customers.columns()} FROM customers
   WHERE organization_id = $1 AND email_key = $2 AND deleted_at IS NULL ORDER BY id LIMIT 1`,
);
const allByEmailStatement = sql(
  "customers.all_by_email",
  `SELECT ${customers.columns()} FROM customers
   WHERE organization_id = $1 AND email_key = $2 AND deleted_at IS NULL ORDER BY id LIMIT $3`,
);

export async function findByExternalId(
  db: Queryable,
  organizationId: string,
  externalId: string,
): Promise<Customer | null> {
  return (await db.query<Customer>(byExternalIdStatement, [organizationId, externalId]))[0] ?? null;
}

/**
 * The Customer with this e-mail and without an externalId, or null. At most one such Customer exists, but for Customers
 * that were two before the forms of an international domain were taken as one: then the first one.
 */
export async function findByEmail(db: Queryable, organizationId: string, key: string): Promise<Customer | null> {
  return (await db.query<Customer>(byEmailStatement, [organizationId, key]))[0] ?? null;
}

const emailOwnerStatement = sql(
  "customers.owner_of_email",
  `SELECT ${customers.columns("c")} FROM email_changes e
   JOIN customers c ON c.organization_id = $1 AND c.id = e.customer_id
   WHERE e.organization_id = $1 AND e.old_key = $2 AND e.status = 'changed' AND e.expires_at > statement_timestamp()
     AND c.external_id IS NULL AND c.deleted_at IS NULL
   ORDER BY e.changed_at LIMIT 1`,
);

/**
 * The Customer without an externalId that can still get this address back by an undo (rule I11). Until then no other
 * Customer without an externalId takes the address. Null: the address is free, as far as changes of addresses go.
 */
export async function findEmailOwner(db: Queryable, organizationId: string, key: string): Promise<Customer | null> {
  return (await db.query<Customer>(emailOwnerStatement, [organizationId, key]))[0] ?? null;
}

/** The oldest Customer with this e-mail, whether or not it has an externalId. */
export async function findAnyByEmail(db: Queryable, organizationId: string, key: string): Promise<Customer | null> {
  return (await db.query<Customer>(anyByEmailStatement, [organizationId, key]))[0] ?? null;
}

/** The Customers with this e-mail, oldest first, up to `limit`. */
export async function listByEmail(
  db: Queryable,
  organizationId: string,
  key: string,
  limit: number,
): Promise<Customer[]> {
  return db.query<Customer>(allByEmailStatement, [organizationId, key, limit]);
}

const countDocumentsStatement = arraysSql(
  "customers.count_documents",
  { id: "text", invoice: "integer", credit_note: "integer" },
  (rows, keyOf) =>
    `UPDATE customers c SET invoice_sequence = r.invoice, credit_note_sequence = r.credit_note FROM ${rows}
     WHERE c.organization_id = ${keyOf("r")} AND c.id = r.id`,
);

type Numbers = { organizationId: string; id: string; invoice: number; creditNote: number };

/** Stores the last document numbers of locked Customers (rules I1, I3k), without waiting for the answer. */
export function countDocuments(tx: Tx, numbers: readonly Numbers[]): void {
  const columns = (["id", "invoice", "creditNote"] as const).map((name) => (each: Numbers) => each[name]);
  if (numbers.length > 0) tx.send(...withArrays(tx, countDocumentsStatement, numbers, ...columns));
}

const TEXTS = ["email_key", "lower(email)", "lower(name)", "lower(company_name)", "lower(external_id)"];
const isPart = (value: string) => `(${TEXTS.map((text) => `position(${value} IN ${text}) > 0`).join(" OR ")})`;
const list = filteredList<Customer, "cursor" | "email" | "externalId" | "search">({
  name: "customers.list",
  select: `SELECT ${customers.columns()} FROM customers WHERE organization_id = $1 AND deleted_at IS NULL`,
  order: "id DESC",
  created: { table: "customers", alias: "customers" },
  values: {
    cursor: (value) => `id < ${value}`,
    email: (value) => `email_key = ${value}`,
    externalId: (value) => `external_id = ${value}`,
    search: isPart,
  },
});

/** A domain with a dot may be a whole one. A part of a domain has another ASCII form than the whole. */
const searchKey = (text: string) => (/@.+[.]/.test(text) ? emailKey(text) : text.normalize("NFC").toLowerCase());

/** A shorter text has no part that the index holds. */
const LEAST_INDEXED = 3;
/** A text that more Customers have is found soon in the newest ones. */
const MOST_FOUND = 5000;

// The limit stands in the text: for a parameter, PostgreSQL expects to need a tenth of the rows, and reads the table.
const partStatement = sql(
  "customers.with_part",
  `SELECT id FROM customers WHERE organization_id = $1 AND deleted_at IS NULL
     AND text_parts(organization_id, ${TEXTS.join(", ")}) @> text_parts($1, $2) AND ${isPart("$2")}
   LIMIT ${MOST_FOUND + 1}`,
);

/**
 * The ids of the Customers that have this part, the newest first, from an index; null: too many Customers have the
 * part, or the part is too short for the index.
 */
async function idsWithPart(db: Queryable, organizationId: string, part: string): Promise<string[] | null> {
  if ([...part].length < LEAST_INDEXED) return null;
  const found = await db.query<{ id: string }>(partStatement, [organizationId, part]);
  if (found.length > MOST_FOUND) return null;
  return found
    .map(({ id }) => id)
    .sort()
    .reverse();
}

/** Newest first; returns one row more than the page holds. */
export async function listCustomers(
  db: Queryable,
  organizationId: string,
  query: ListCustomersQuery & CreatedSpan,
): Promise<Customer[]> {
  const { email, externalId, search, cursor, limit } = query;
  const isSpan = (query.createdFrom ?? query.createdUntil ?? query.sort) !== undefined;
  if (search !== undefined && email === undefined && externalId === undefined && !isSpan) {
    const ids = await idsWithPart(db, organizationId, searchKey(search));
    if (ids) {
      const page = ids.filter((id) => cursor === undefined || id < cursor).slice(0, limit + 1);
      const found = await customers.findAll(db, organizationId, page);
      return page.flatMap((id) => found.get(id) ?? []);
    }
  }
  return walk(db, organizationId, query);
}

async function walk(db: Queryable, organizationId: string, query: ListCustomersQuery): Promise<Customer[]> {
  const { email, search, ...filters } = query;
  return list(db, organizationId, {
    ...filters,
    ...(email !== undefined && { email: emailKey(email) }),
    ...(search !== undefined && { search: searchKey(search) }),
  });
}

const anyStatement = sql("customers.any", `SELECT 1 AS found FROM customers WHERE organization_id = $1 LIMIT 1`);

export async function hasCustomers(db: Queryable, organizationId: string): Promise<boolean> {
  return (await db.query(anyStatement, [organizationId])).length > 0;
}
