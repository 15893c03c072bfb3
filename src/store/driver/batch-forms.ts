import { DISTRIBUTED, sql, type Statement, type Tx } from "./statement.ts";

// A distributed PostgreSQL has each Organization on one node. It sends a statement to that node if the Organization is
// a parameter, and refuses most statements that take Organizations from rows. On one PostgreSQL such statements are
// better: a batch of many Organizations takes one transaction, and no plan reads all rows of an Organization
// (decision 0105).

/**
 * A statement about given rows, in two forms: `any` for rows of any Organizations, and `ofOne`, for a distributed
 * PostgreSQL, for rows of one.
 */
export type BatchStatement = { any: Statement; ofOne: Statement };

/** The key of the Organization that some rows of a text belong to. */
type KeyOf = (rows: string) => string;
const OWN: KeyOf = (rows) => `${rows}.organization_id`;
const SOLE: KeyOf = () => "$1";

/**
 * A statement about given rows `r`, which the first parameter of `text` reads. `columns`: the types of the rows'
 * columns by their names. `owners`: the right side of `=` for the Organizations of all rows. $1 has the Organization of
 * each row, or in the form `ofOne` their one Organization. The next parameters are arrays of the columns, and other
 * parameters may follow.
 */
export function arraysSql(
  name: string,
  columns: Readonly<Record<string, string>>,
  text: (rows: string, keyOf: KeyOf, owners: string) => string,
): BatchStatement {
  const names = Object.keys(columns).join(", ");
  const arrays = Object.values(columns)
    .map((type, n) => `$${n + 2}::${type}[]`)
    .join(", ");
  const any = `unnest($1::text[], ${arrays}) AS r (organization_id, ${names})`;
  return {
    any: sql(name, text(any, OWN, "ANY ($1::text[])")),
    ofOne: sql(name + DISTRIBUTED, text(`unnest(${arrays}) AS r (${names})`, SOLE, "$1")),
  };
}

/** A statement about given rows in one parameter, `records`. In the form `ofOne`, $1 is their Organization. */
export const recordsSql = (name: string, text: (records: string, keyOf: KeyOf) => string): BatchStatement => ({
  any: sql(name, text("$1", OWN)),
  ofOne: sql(name + DISTRIBUTED, text("$2", SOLE)),
});

type Owned = { organizationId: string };

/** @throws Error for rows of several Organizations: such a batch of a distributed database is a bug */
export function soleOwner(rows: readonly Partial<Owned>[]): string {
  const owner = rows[0]?.organizationId;
  if (owner === undefined || rows.some(({ organizationId }) => organizationId !== owner))
    throw new Error("a batch of a distributed database is of several Organizations");
  return owner;
}

/** The form of a statement, and its parameters, for these rows. `columns`: the values of a row. */
export function withArrays<Row extends Owned>(
  { isDistributed }: Pick<Tx, "isDistributed">,
  { any, ofOne }: BatchStatement,
  rows: readonly Row[],
  ...columns: readonly ((row: Row) => unknown)[]
): [Statement, unknown[]] {
  const arrays = columns.map((column) => rows.map(column));
  if (isDistributed) return [ofOne, [soleOwner(rows), ...arrays]];
  return [any, [rows.map(({ organizationId }) => organizationId), ...arrays]];
}

/** As `withArrays`, for rows as records. */
export const withRecords = (
  { isDistributed }: Pick<Tx, "isDistributed">,
  { any, ofOne }: BatchStatement,
  rows: readonly Partial<Owned>[],
  records: string,
): [Statement, unknown[]] => (isDistributed ? [ofOne, [soleOwner(rows), records]] : [any, [records]]);

/** The rows of each Organization, in the order of the first rows. */
export const byOrganization = <Row extends Owned>(rows: readonly Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, ({ organizationId }) => organizationId);

/**
 * Rows in groups, each for a transaction of its own. On a distributed PostgreSQL a transaction is about one
 * Organization. Otherwise all rows are one group.
 */
export const inTransactions = <Row extends Owned>(
  db: { isDistributed(): boolean },
  rows: readonly Row[],
): (readonly Row[])[] => (db.isDistributed() ? [...byOrganization(rows).values()] : [rows]);
