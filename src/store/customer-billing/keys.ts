/** The tables with ids that lead to a Customer. The Customer of a row in these tables never changes. */
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
 * Statements have two forms: for a single key, and for any number of keys. With single values PostgreSQL looks rows up
 * directly by their keys. With arrays PostgreSQL adds a function scan, and reading one Customer took a third longer.
 */
export type Form = "one" | "many";
export const FORMS: readonly Form[] = ["one", "many"];

/**
 * The requested Customers as rows `k (organization_id, customer_id, asked)`, each Customer once. `asked`: the requested
 * ids that led to the Customer, in the order of the request. $1 and $2 are an Organization and an id of the kind `by`,
 * or arrays of them.
 */
export function customersBy(by: KeyKind, form: Form): string {
  if (form === "one") {
    if (by === "customer")
      return "(SELECT $1::text AS organization_id, $2::text AS customer_id, ARRAY[$2::text] AS asked) AS k";
    return `(SELECT x.organization_id, x.customer_id, ARRAY[x.id] AS asked
     FROM ${TABLES[by]} x WHERE x.organization_id = $1::text AND x.id = $2::text) AS k`;
  }
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
 * Askers as rows `k (organization_id, customer_id, a, b, n)`. $1 is an Organization, $2 an id of the kind `by`. $3 and
 * $4 are values of these types, for the columns `a` and `b`. In the form `many` all four are arrays, and `n` counts the
 * elements from 1. A subselect finds the Customers by the ids of other rows, so that all statements of a load are sent
 * at once.
 */
export function askersBy(by: KeyKind, types: readonly string[], form: Form): string {
  const names = ["a", "b"].slice(0, types.length);
  if (form === "one") {
    const values = types.map((type, n) => `$${n + 3}::${type} AS ${names[n]}`).concat("1 AS n");
    if (by === "customer")
      return `(SELECT $1::text AS organization_id, $2::text AS customer_id, ${values.join(", ")}) AS k`;
    return `(SELECT x.organization_id, x.customer_id, ${values.join(", ")}
     FROM ${TABLES[by]} x WHERE x.organization_id = $1::text AND x.id = $2::text) AS k`;
  }
  const arrays = ["text", "text", ...types].map((type, n) => `$${n + 1}::${type}[]`).join(", ");
  const values = names.concat("n");
  if (by === "customer")
    return `unnest(${arrays}) WITH ORDINALITY AS k (organization_id, customer_id, ${values.join(", ")})`;
  return `(SELECT x.organization_id, x.customer_id, ${values.map((name) => `u.${name}`).join(", ")}
     FROM unnest(${arrays}) WITH ORDINALITY AS u (organization_id, id, ${values.join(", ")})
     JOIN ${TABLES[by]} x ON x.organization_id = u.organization_id AND x.id = u.id) AS k`;
}

/**
 * The text of a statement that joins rows to `k`, in the given form. In the form for one key each subselect has the
 * Organization as a parameter, so that a distributed PostgreSQL sends the statement to one node.
 */
export const inForm = (form: Form, text: string): string =>
  form === "one" ? text.replaceAll("= k.organization_id", "= $1") : text;

/** Columns of values as the parameters of a form. */
export const toParameters = (form: Form, columns: readonly (readonly unknown[])[]): unknown[] =>
  form === "one" ? columns.map(([value]) => value) : [...columns];

/** Keys as two columns: the Organizations and the ids. */
export const toColumns = (keys: readonly RowKey[]): string[][] => [
  keys.map((key) => key.organizationId),
  keys.map((key) => key.id),
];

/** A row's key as one text. No id has a space. */
export const keyOfRow = ({ organizationId, id }: RowKey) => `${organizationId} ${id}`;

/** The keys without duplicates. */
export const distinctKeys = (keys: readonly RowKey[]): RowKey[] => [
  ...new Map(keys.map((key) => [keyOfRow(key), key])).values(),
];
