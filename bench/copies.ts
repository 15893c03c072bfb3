import type { Row, Schema, Write } from "./journal.ts";

/** Texts of the model that differ in each copy, each with its SQL over `n`, the number of the copy. */
export type Names = Map<string, string>;

/** A name of the model: `sql` makes the name in each copy, and `first` is the name in copy 0. */
export type Name = { model: string; sql: string; first: string };

/** The differences of a copy from its model row: new names, and instants that are `shift` milliseconds later. */
export type Copying = { schema: Schema; names: Names; shift: number };

const ID = "[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}";
const CODE = "INV-[0-9A-Z]{8}";
const NAMED = new RegExp(`${ID}|card_[\\w-]{32}|${CODE}|[\\w.-]+@example\\.com`, "g");
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?=Z|\+00:00)/g;

/**
 * The id of a copy, as text for one copy or as SQL for all. `kind` tells ids with the same prefix apart. The alphabet
 * of ids includes the digits, so the ids are well-formed.
 */
const idAt = (prefix: string, kind: number, n: number) =>
  `${prefix}_${String(kind).padStart(2, "0")}${String(n).padStart(24, "0")}`;
const idSql = (prefix: string, kind: number) =>
  `'${idAt(prefix, kind, 0).slice(0, prefix.length + 3)}' || lpad(n::text, 24, '0')`;

/** The ids of the n-th Customer, Subscription and Organization. */
export const customerAt = (n: number) => idAt("cus", 0, n);
export const subscriptionAt = (n: number) => idAt("sub", 0, n);
export const organizationAt = (n: number) => `org_${String(n).padStart(26, "0")}`;
/** `number`: SQL over `n`. */
export const organizationSql = (number: string) => `'org_' || lpad((${number})::text, 26, '0')`;

/** The names in new rows: ids are numbered in the order of the writes, after the `known` ids of the same prefix. */
export function ownNames(writes: readonly Write[], known: readonly Name[] = []): Name[] {
  const names = [...known];
  const add = (model: string, sql: string, first: string) => {
    if (!names.some((name) => name.model === model)) names.push({ model, sql, first });
  };
  for (const { row } of writes.filter(({ changed }) => changed === null)) {
    for (const text of Object.values(row)) {
      if (typeof text !== "string") continue;
      if (/^card_[\w-]{32}$/.test(text)) add(text, "'card_' || lpad(n::text, 32, '0')", `card_${"0".repeat(32)}`);
      else if (/^[\w.-]+@example\.com$/.test(text)) add(text, "'buyer-' || n || '@example.com'", "buyer-0@example.com");
      else if (text.startsWith("INV-")) add(text.slice(0, 12), "'INV-' || lpad(n::text, 8, '0')", "INV-00000000");
    }
    const { id } = row as { id?: string };
    if (id === undefined || names.some(({ model }) => model === id)) continue;
    const prefix = id.slice(0, id.indexOf("_"));
    const kind = names.filter(({ model }) => new RegExp(`^${prefix}_.{26}$`).test(model)).length;
    add(id, idSql(prefix, kind), idAt(prefix, kind, 0));
  }
  return names;
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A text as an SQL expression over `n`. A text without names becomes a literal. */
function textSql(text: string, { names, shift }: Copying): string {
  const later = text.replace(INSTANT, (found) => new Date(Date.parse(`${found}Z`) + shift).toISOString().slice(0, -1));
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, index } of later.matchAll(NAMED)) {
    const sql = names.get(found);
    if (sql === undefined) continue;
    parts.push(quote(later.slice(from, index)), `(${sql})`);
    from = index + found.length;
  }
  return [...parts, quote(later.slice(from))].filter((part) => part !== "''").join(" || ") || "''";
}

function columnSql(value: unknown, type: string, copying: Copying): string {
  if (value === null || value === undefined) return `NULL::${type}`;
  if (Array.isArray(value) && type.endsWith("[]"))
    return `${quote(`{${value.map((each) => JSON.stringify(each)).join(",")}}`)}::${type}`;
  return `(${textSql(typeof value === "string" ? value : JSON.stringify(value), copying)})::${type}`;
}

const FROM = "FROM generate_series($1::bigint, $2::bigint) AS n";

function rowSql(table: string, row: Row, copying: Copying): string {
  const columns = [...copying.schema.get(table)!.types];
  return `SELECT ${columns.map(([column, type]) => columnSql(row[column], type, copying)).join(", ")} ${FROM}`;
}

function updateSql({ table, row, changed }: Write, copying: Copying): string {
  const { types, key } = copying.schema.get(table)!;
  const equals = (column: string) => `${column} = ${columnSql(row[column], types.get(column)!, copying)}`;
  const found = key.map((column) => `${table}.${equals(column)}`).join(" AND ");
  return `UPDATE ${table} SET ${changed!.map(equals).join(", ")} ${FROM} WHERE ${found}`;
}

/**
 * Statements that repeat the writes for the copies $1 to $2: one for all new rows of a table, and one for each
 * changed row.
 */
export function copyStatements(writes: readonly Write[], copying: Copying): string[] {
  const inserts = new Map<string, string[]>();
  for (const { table, row, changed } of writes) {
    if (changed === null) inserts.set(table, [...(inserts.get(table) ?? []), rowSql(table, row, copying)]);
  }
  const columns = (table: string) =>
    [...copying.schema.get(table)!.types.keys()].map((column) => `"${column}"`).join(", ");
  return [
    ...[...inserts].map(([table, rows]) => `INSERT INTO ${table} (${columns(table)}) ${rows.join(" UNION ALL ")}`),
    ...writes.filter(({ changed }) => changed !== null).map((write) => updateSql(write, copying)),
  ];
}
