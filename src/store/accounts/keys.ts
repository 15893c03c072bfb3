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
 * The Customers that are asked for, as rows `k (organization_id, customer_id, asked)`, each once, with the ids that led to the Customer in
 * the order in which they were asked for: of the arrays $1 and $2, Organizations and ids of the kind `by`.
 */
export function customersBy(by: KeyKind): string {
  if (by === "customer") {
    return `(SELECT c.organization_id, c.customer_id, ARRAY[c.customer_id] AS asked
     FROM unnest($1::text[], $2::text[]) AS c (organization_id, customer_id)) AS k`;
  }
  return `(SELECT x.organization_id, x.customer_id, array_agg(x.id ORDER BY a.n) AS asked
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a (organization_id, id, n)
     JOIN ${TABLES[by]} x ON x.organization_id = a.organization_id AND x.id = a.id
     GROUP BY x.organization_id, x.customer_id) AS k`;
}

/**
 * Askers as rows `k (organization_id, customer_id, a, b, n)`: one for each element of the arrays $1 (Organizations), $2 (ids of the kind
 * `by`), $3 and $4, which hold values of these types and are the columns `a` and `b`. `n` counts the elements from 1. A subselect finds the
 * Customers by the ids of other rows, so that all statements of a load are sent at once.
 */
export function askersBy(by: KeyKind, types: readonly string[]): string {
  const arrays = ["text", "text", ...types].map((type, n) => `$${n + 1}::${type}[]`).join(", ");
  const values = ["a", "b"].slice(0, types.length).concat("n");
  if (by === "customer") return `unnest(${arrays}) WITH ORDINALITY AS k (organization_id, customer_id, ${values.join(", ")})`;
  return `(SELECT x.organization_id, x.customer_id, ${values.map((name) => `u.${name}`).join(", ")}
     FROM unnest(${arrays}) WITH ORDINALITY AS u (organization_id, id, ${values.join(", ")})
     JOIN ${TABLES[by]} x ON x.organization_id = u.organization_id AND x.id = u.id) AS k`;
}

/** Keys as the arrays that `unnest` takes. */
export const toColumns = (keys: readonly RowKey[]): string[][] => [keys.map((key) => key.organizationId), keys.map((key) => key.id)];

/** A row's key as one text; no id has a space. */
export const keyOfRow = ({ organizationId, id }: RowKey) => `${organizationId} ${id}`;

/** Each key once. */
export const distinctKeys = (keys: readonly RowKey[]): RowKey[] => [...new Map(keys.map((key) => [keyOfRow(key), key])).values()];
