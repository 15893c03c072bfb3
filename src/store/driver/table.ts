import { formatInstant, type Instant } from "../../domain/calendar.ts";
import type { Queue } from "./notifier.ts";
import { sql, type Queryable, type Statement, type Tx } from "./db.ts";
import { recordsSql, withRecords, type BatchStatement } from "./batch-forms.ts";
import { toInstant } from "./stamp.ts";

/** How a value is sent: instants as RFC 3339 text, JSON as text, the rest as it is. */
type Kind = "plain" | "instant" | "json";

/** A row as it is now, and as it was loaded. */
type Change<Row> = { row: Row; before: Row };

type Keyed = { id: string; organizationId?: string };

/** Rows come back with the field names of the domain, so the results of SQL need no mapping. */
export type Table<Row> = {
  /** The column list of a SELECT, each column `AS "camelCase"`, qualified by an alias if given. */
  columns(alias?: string): string;
  /** Does not wait for the answer: a violated constraint fails the transaction at its next answer, or at COMMIT. */
  insert(tx: Tx, row: Row): void;
  /** Like `insert`, but writes no row and answers false if a unique key is taken. The transaction does not fail. */
  insertIfFree(tx: Tx, row: Row): Promise<boolean>;
  /** Writes every column of the row except its key. Does not wait for the answer. */
  update(tx: Tx, row: Row): void;
  /**
   * Like `insert`, for all rows in one statement; without rows no statement is sent. A single row is sent as values,
   * because PostgreSQL looks up the types of all columns each time it reads rows from JSON.
   */
  insertAll(tx: Tx, rows: readonly Row[]): void;
  /**
   * Writes the changed columns of all rows in one statement, in the order of `changes`, which may not name a row twice.
   * A single row is sent as values.
   */
  updateAll(tx: Tx, changes: readonly Change<Row>[]): void;
  /** Deletes all rows in one statement. */
  deleteAll(tx: Tx, rows: readonly Row[]): void;
  /**
   * The row from which PostgreSQL made this JSON by `to_json`.
   * @throws RangeError for a number that is not a safe integer
   */
  fromRecord(record: Readonly<Record<string, unknown>>): Row;
  /** Finds a row by its whole key: the Organization's id, then the row's. */
  find(db: Queryable, ...key: string[]): Promise<Row | null>;
  /** Rows of one Organization by their ids, in one statement. Ids that do not exist are left out. */
  findAll(db: Queryable, organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Row>>;
  /** Like `find`, and locks the row until the transaction ends. */
  lock(tx: Tx, ...key: string[]): Promise<Row | null>;
};

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const quoted = (name: string) => `"${snake(name)}"`;

function toSql(kind: Kind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === "instant") return formatInstant(value as Instant);
  if (kind === "json") return JSON.stringify(value);
  return value;
}

/** The column list of a SELECT, like `columns` of a table, for the given columns alone. */
export function columnList(columns: readonly string[], alias?: string): string {
  return columns.map((column) => `${alias ? `${alias}.` : ""}${quoted(column)} AS "${column}"`).join(", ");
}

/**
 * Reads one JSON parameter as rows of a table. PostgreSQL knows the types from the table, and a value of a `json`
 * column keeps its text.
 */
export const recordsOf = (name: string, parameter = "$1") =>
  `json_populate_recordset(NULL::${name}, ${parameter}::json)`;

/** Rows as one parameter of a statement, under the SQL names of the columns. Nulls are left out. */
export function toRecords<Row extends object>(columns: { [Column in keyof Row]?: Kind }, rows: readonly Row[]): string {
  const fields = Object.entries(columns).map(
    ([column, kind]) => [column as keyof Row, snake(column), kind === "instant"] as const,
  );
  const records = rows.map((row) => {
    const record: Record<string, unknown> = {};
    for (const [column, name, isInstant] of fields) {
      const value = row[column];
      if (value !== null && value !== undefined)
        record[name] = isInstant ? formatInstant(value as unknown as Instant) : value;
    }
    return record;
  });
  return JSON.stringify(records);
}

/** The opposite of `toRecords`, for one row of `to_json`: the names of the domain, with instants. */
function readerOf<Row>(columns: { [Column in keyof Row]-?: Kind }): (record: Readonly<Record<string, unknown>>) => Row {
  const fields = Object.entries<Kind>(columns).map(([column, kind]) => [column, snake(column), kind] as const);
  return (record) => {
    const row: Record<string, unknown> = {};
    for (const [column, name, kind] of fields) {
      const value = record[name];
      if (typeof value === "number" && !Number.isSafeInteger(value))
        throw new RangeError(`the database holds ${value} as ${name}`);
      row[column] = kind === "instant" && value !== null ? toInstant(value as string) : value;
    }
    return row as Row;
  };
}

/** How many different sets of columns may get their own statement. Decisions change about a dozen sets. */
const MOST_UPDATES = 64;

const ofNoOrganization = (name: string) => new Error(`rows of ${name} belong to no Organization`);

/** A statement about rows `t` of a table with the keys of records `r`. Null: the rows belong to no Organization. */
const ownedSql = (name: string, verb: string, keys: readonly string[], text: (records: string) => string) =>
  keys.includes("organizationId")
    ? recordsSql(
        `${name}.${verb}`,
        (records, keyOf) =>
          `${text(`${recordsOf(name, records)} r`)} WHERE t.organization_id = ${keyOf("r")} AND t.id = r.id`,
      )
    : null;

/**
 * Writes the changed columns of many rows in one statement. Rows have up to 50 columns, and a change sets a few of
 * them. With all columns the statement took PostgreSQL twice as long.
 */
function updaterOf<Row extends Keyed>(
  name: string,
  columns: { [Column in keyof Row]-?: Kind },
  keys: readonly string[],
) {
  const free = Object.keys(columns).filter((column) => !keys.includes(column)) as (keyof Row & string)[];
  const made = new Map<string, { one: Statement; all: BatchStatement | null }>();
  const statementsOf = (changed: readonly string[]) =>
    made.getOrInsertComputed(changed.join(), () => {
      const set = (value: (column: string, n: number) => string) =>
        `UPDATE ${name} t SET ${changed.map((column, n) => `${quoted(column)} = ${value(column, n)}`).join(", ")}`;
      const byKey = keys.map((column, n) => `t.${quoted(column)} = $${changed.length + n + 1}`).join(" AND ");
      return {
        one: sql(`${name}.update_one_${made.size}`, `${set((_, n) => `$${n + 1}`)} WHERE ${byKey}`),
        all: ownedSql(
          name,
          `update_all_${made.size}`,
          keys,
          (rows) => `${set((column) => `r.${quoted(column)}`)} FROM ${rows}`,
        ),
      };
    });
  statementsOf(free);
  return (tx: Tx, changes: readonly Change<Row>[]): void => {
    const changed = free.filter((column) => changes.some(({ row, before }) => row[column] !== before[column]));
    if (changed.length === 0) return;
    const written = made.has(changed.join()) || made.size < MOST_UPDATES ? changed : free;
    const { one, all } = statementsOf(written);
    if (changes.length === 1) {
      const { row } = changes[0]!;
      return tx.send(
        one,
        [...written, ...keys].map((column) => toSql(columns[column as keyof Row], row[column as keyof Row])),
      );
    }
    const sent = Object.fromEntries([...keys, ...written].map((column) => [column, columns[column as keyof Row]]));
    const rows = changes.map(({ row }) => row);
    if (all === null) throw ofNoOrganization(name);
    tx.send(...withRecords(tx, all, rows, toRecords(sent as { [Column in keyof Row]?: Kind }, rows)));
  };
}

/** The queue of a table's rows, and the instant in real time from which a row is due; null: never. */
type Due<Row> = { queue: Queue; at(row: Row): Instant | null };

/**
 * Defines a table by the names and kinds of its columns. Statements beyond those of `Table` are written out where they
 * are used. A row that is `due` wakes the workers of its queue.
 */
export function defineTable<Row extends Keyed>(
  name: string,
  columns: { [Column in keyof Row]-?: Kind },
  due?: Due<Row>,
): Table<Row> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const parameter = (column: string) => `$${(names as string[]).indexOf(column) + 1}`;
  const keys = ["organizationId", "id"].filter((column) => column in columns);
  const sets = names
    .filter((column) => !keys.includes(column))
    .map((column) => `${quoted(column)} = ${parameter(column)}`);
  const list = (alias?: string) => columnList(names, alias);
  const values = (row: Row) => names.map((column) => toSql(columns[column], row[column]));

  const insert = sql(
    `${name}.insert`,
    `INSERT INTO ${name} (${names.map(quoted).join(", ")}) VALUES (${names.map(parameter).join(", ")})`,
  );
  const insertIfFree = sql(`${name}.insert_if_free`, `${insert.text} ON CONFLICT DO NOTHING RETURNING 1 AS written`);
  const where = keys.map((column) => `${quoted(column)} = ${parameter(column)}`).join(" AND ");
  const update = sql(`${name}.update`, `UPDATE ${name} SET ${sets.join(", ")} WHERE ${where}`);
  const bare = names.map(quoted).join(", ");
  const insertAll = sql(`${name}.insert_all`, `INSERT INTO ${name} (${bare}) SELECT ${bare} FROM ${recordsOf(name)}`);
  const sendUpdates = updaterOf(name, columns, keys);
  const deleteAll = ownedSql(name, "delete_all", keys, (records) => `DELETE FROM ${name} t USING ${records}`);
  const keyColumns = Object.fromEntries(keys.map((column) => [column, "plain"])) as { [Column in keyof Row]?: Kind };
  const byKey = keys.map((column, n) => `${quoted(column)} = $${n + 1}`).join(" AND ");
  const find = sql(`${name}.find`, `SELECT ${list()} FROM ${name} WHERE ${byKey}`);
  const findAll = keys.includes("organizationId")
    ? sql(`${name}.find_all`, `SELECT ${list()} FROM ${name} WHERE organization_id = $1 AND id = ANY($2::text[])`)
    : null;
  const lock = sql(`${name}.lock`, `${find.text} FOR UPDATE`);
  const one = async (db: Queryable, statement: Statement, key: string[]) =>
    (await db.query<Row>(statement, key))[0] ?? null;
  const write = (tx: Tx, statement: Statement, row: Row) => {
    tx.send(statement, values(row));
    if (due) tx.wakes(due.queue, due.at(row));
  };
  return {
    columns: list,
    fromRecord: readerOf(columns),
    insert: (tx, row) => write(tx, insert, row),
    insertIfFree: async (tx, row) => (await tx.query(insertIfFree, values(row))).length > 0,
    update: (tx, row) => write(tx, update, row),
    insertAll(tx, rows) {
      if (rows.length === 1) return write(tx, insert, rows[0]!);
      if (rows.length > 0) tx.send(insertAll, [toRecords(columns, rows)]);
      if (due) for (const row of rows) tx.wakes(due.queue, due.at(row));
    },
    updateAll(tx, changes) {
      sendUpdates(tx, changes);
      if (due) for (const { row } of changes) tx.wakes(due.queue, due.at(row));
    },
    deleteAll(tx, rows) {
      if (rows.length === 0) return;
      if (deleteAll === null) throw ofNoOrganization(name);
      tx.send(...withRecords(tx, deleteAll, rows, toRecords(keyColumns, rows)));
    },
    find: (db, ...key) => one(db, find, key),
    async findAll(db, organizationId, ids) {
      if (findAll === null) throw ofNoOrganization(name);
      const rows = await db.query<Row & Keyed>(findAll, [organizationId, ids]);
      return new Map(rows.map((row) => [row.id, row]));
    },
    lock: (tx, ...key) => one(tx, lock, key),
  };
}
