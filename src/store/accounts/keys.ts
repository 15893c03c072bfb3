import { sql, type Statement, type Tx } from "../db.ts";

/** Rows of a Customer by whose ids the Customer is found; the Customer of such a row never changes. */
const TABLES = {
  customer: "customers",
  subscription: "subscriptions",
  invoice: "invoices",
  payment: "payments",
  refund: "refunds",
  dispute: "disputes",
  checkout: "checkouts",
} as const;
export type KeyKind = keyof typeof TABLES;
export const KEY_KINDS = Object.keys(TABLES) as KeyKind[];

/** One row of an Organization. */
export type RowKey = { organizationId: string; id: string };

/**
 * The Customers that are asked for, as rows `k (organization_id, customer_id)`, each once: of the arrays $1 and $2, Organizations and ids.
 * A subselect finds the Customers by the ids of other rows, so that all statements of a load are sent at once.
 */
export function customersBy(by: KeyKind): string {
  if (by === "customer") return "unnest($1::text[], $2::text[]) AS k (organization_id, customer_id)";
  return `(SELECT DISTINCT x.organization_id, x.customer_id FROM unnest($1::text[], $2::text[]) AS a (organization_id, id)
     JOIN ${TABLES[by]} x ON x.organization_id = a.organization_id AND x.id = a.id) AS k`;
}

const askedStatements = new Map<KeyKind, Statement>();
for (const by of KEY_KINDS.filter((kind) => kind !== "customer")) {
  const text = `SELECT x.organization_id AS "organizationId", x.id, x.customer_id AS "customerId"
     FROM unnest($1::text[], $2::text[]) AS a (organization_id, id)
     JOIN ${TABLES[by]} x ON x.organization_id = a.organization_id AND x.id = a.id`;
  askedStatements.set(by, sql(`accounts.asked_by_${by}`, text));
}

/** The ids that were asked for, by the key of the Customer; ids of rows that do not exist are left out. */
export async function findAsked(tx: Tx, by: KeyKind, keys: readonly RowKey[]): Promise<Map<string, string[]>> {
  const statement = askedStatements.get(by);
  if (!statement) return new Map(keys.map((key) => [keyOfRow(key), [key.id]]));
  const found = await tx.query<RowKey & { customerId: string | null }>(statement, toColumns(keys));
  const asked = new Map<string, string[]>();
  for (const { organizationId, id, customerId } of found) {
    if (customerId === null) continue;
    const key = keyOfRow({ organizationId, id: customerId });
    asked.set(key, [...(asked.get(key) ?? []), id]);
  }
  return asked;
}

/** Keys as the arrays that `unnest` takes. */
export const toColumns = (keys: readonly RowKey[]): string[][] => [keys.map((key) => key.organizationId), keys.map((key) => key.id)];

/** A row's key as one text; no id has a space. */
export const keyOfRow = ({ organizationId, id }: RowKey) => `${organizationId} ${id}`;

/** Each key once. */
export const distinctKeys = (keys: readonly RowKey[]): RowKey[] => [...new Map(keys.map((key) => [keyOfRow(key), key])).values()];
