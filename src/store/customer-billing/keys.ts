import { soleOwner } from "../driver/batch-forms.ts";
import { DISTRIBUTED, type Snapshot, type Tx } from "../driver/statement.ts";

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
 * The form `distributed` is for many Customers of one Organization on a distributed PostgreSQL (decision 0105).
 */
export type Form = "one" | "many" | "distributed";

/** The forms for ids of a kind. Batches are of Customers. */
export const formsBy = (by: KeyKind): readonly Form[] => (by === "customer" ? ["one", "many", "distributed"] : ["one"]);

/** @throws Error for several ids that are not ids of Customers */
export function formOf({ isDistributed }: Tx | Snapshot, by: KeyKind, keys: readonly RowKey[]): Form {
  if (keys.length === 1) return "one";
  if (by !== "customer") throw new Error(`several Customers are loaded by their own ids, not by those of a ${by}`);
  return isDistributed ? "distributed" : "many";
}

/** The name of a statement in a form, by its name with the form in it. */
export const nameIn = (form: Form, name: string): string =>
  form === "distributed" ? name.replace(`_${form}_`, "_many_") + DISTRIBUTED : name;

/**
 * The requested Customers as rows `k (organization_id, customer_id, asked)`. `asked`: the requested ids that led to the
 * Customer. $1 and $2 are an Organization and an id of the kind `by`, or arrays of Organizations and of Customers' ids.
 * In the form `distributed`, only $2 is an array.
 */
export function customersBy(by: KeyKind, form: Form): string {
  if (form === "one") {
    if (by === "customer")
      return "(SELECT $1::text AS organization_id, $2::text AS customer_id, ARRAY[$2::text] AS asked) AS k";
    return `(SELECT x.organization_id, x.customer_id, ARRAY[x.id] AS asked
     FROM ${TABLES[by]} x WHERE x.organization_id = $1::text AND x.id = $2::text) AS k`;
  }
  if (form === "distributed")
    return `(SELECT $1::text AS organization_id, c.customer_id, ARRAY[c.customer_id] AS asked
     FROM unnest($2::text[]) AS c (customer_id)) AS k`;
  return `(SELECT c.organization_id, c.customer_id, ARRAY[c.customer_id] AS asked
     FROM unnest($1::text[], $2::text[]) AS c (organization_id, customer_id)) AS k`;
}

/**
 * Askers as rows `k (organization_id, customer_id, a, b, n)`. $1 is an Organization, $2 an id of the kind `by`. $3 and
 * $4 are values of these types, for the columns `a` and `b`. In the form `many` all four are arrays, in the form
 * `distributed` all but $1, and `n` counts the elements from 1. A subselect finds the Customers by the ids of other
 * rows, so that all statements of a load are sent at once.
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
  const columns = ["customer_id", ...names, "n"].join(", ");
  const arrays = ["text", ...types].map((type, n) => `$${n + 2}::${type}[]`).join(", ");
  if (form === "distributed")
    return `(SELECT $1::text AS organization_id, ${columns}
     FROM unnest(${arrays}) WITH ORDINALITY AS r (${columns})) AS k`;
  return `unnest($1::text[], ${arrays}) WITH ORDINALITY AS k (organization_id, ${columns})`;
}

/**
 * The text of a statement that joins rows to `k`, in the given form. Unless the form is `many`, each subselect has the
 * Organization as a parameter, so that a distributed PostgreSQL sends the statement to one node.
 */
export const inForm = (form: Form, text: string): string =>
  form === "many" ? text : text.replaceAll("= k.organization_id", "= $1");

/** Keys, and columns of values beside them, as the parameters of a form. */
export function toParameters(
  form: Form,
  keys: readonly RowKey[],
  columns: readonly (readonly unknown[])[] = [],
): unknown[] {
  const owners = keys.map(({ organizationId }) => organizationId);
  const rest = [keys.map(({ id }) => id), ...columns];
  if (form === "one") return [owners[0], ...rest.map(([value]) => value)];
  return [form === "distributed" ? soleOwner(keys) : owners, ...rest];
}

/** A row's key as one text. No id has a space. */
export const keyOfRow = ({ organizationId, id }: RowKey) => `${organizationId} ${id}`;

/** The keys without duplicates. */
export const distinctKeys = (keys: readonly RowKey[]): RowKey[] => [
  ...new Map(keys.map((key) => [keyOfRow(key), key])).values(),
];
