import { sql, type Database, type Statement } from "./db.ts";
import { eachApart } from "./each-organization.ts";
import { DISTRIBUTED } from "./statement.ts";

/**
 * The text of a statement that deletes the rows of a subquery, which may have a LIMIT. `keys`: the columns by which
 * `rows` names them; a row of `rows` is `gone`.
 *
 * PostgreSQL computes a materialized list once. It may join `IN (SELECT …)` row by row and run the subquery for each
 * row of the table. It chose this plan while the table was small, and kept it when the table had 10,000 rows: the
 * statement did not end within its limit.
 */
export const deleteRows = (table: string, keys: readonly string[], rows: string, condition = ""): string =>
  `WITH gone AS MATERIALIZED (${rows})
   DELETE FROM ${table} t USING gone WHERE ${keys.map((key) => `t.${key} = gone.${key}`).join(" AND ")}${condition}
   RETURNING 1 AS forgotten`;

/**
 * Old rows of all Organizations. `keys`: the columns of the key behind `organization_id`. `isOld`: the condition, in
 * which `$2` is a value of the caller. `by`: the column of the age. `rows`: the query of up to `$1` old rows, if it
 * needs more than that. `again`: a condition on the row `t` that may have changed since the rows were found.
 */
type Old = {
  name: string;
  table: string;
  keys: Readonly<Record<string, "text" | "bytea">>;
  isOld: string;
  by?: string;
  rows?: string;
  again?: string;
};
export type OldRows = { keys: string[]; all: Statement; look: Statement; ofOne: Statement; hasValue: boolean };

export function defineOldRows({ name, table, keys: types, isOld, by, again, ...own }: Old): OldRows {
  const keys = Object.keys(types);
  const all = ["organization_id", ...keys];
  const rows = own.rows ?? `SELECT ${all.join(", ")} FROM ${table} WHERE ${isOld} ORDER BY ${by} LIMIT $1`;
  const columns = keys.map((key) => `gone_${key}`);
  const arrays = Object.values(types).map((type, n) => `$${n + 2}::${type}[]`);
  const equal = keys.map((key) => ` AND t.${key} = gone.gone_${key}`).join("");
  return {
    keys,
    all: sql(name, deleteRows(table, all, rows, again && ` AND ${again}`)),
    look: sql(`${name}_look`, rows),
    ofOne: sql(
      name + DISTRIBUTED,
      `DELETE FROM ${table} t USING unnest(${arrays.join(", ")}) AS gone (${columns.join(", ")})
       WHERE t.organization_id = $1${equal} AND ${isOld.replaceAll("$2", `$${keys.length + 2}`)}
       RETURNING 1 AS forgotten`,
    ),
    hasValue: isOld.includes("$2"),
  };
}

/** The parts of a database that deletions need. */
export type Deleting = Pick<Database, "read" | "tx" | "isDistributed">;

/**
 * Deletes up to `limit` old rows, and returns how many. `value`: the `$2` of the rows. One PostgreSQL deletes them in
 * one transaction. A distributed database looks first, and then deletes by the keys in a transaction for each
 * Organization. A row that is no longer old by then stays.
 */
export async function forgetRows(
  db: Deleting,
  { keys, all, look, ofOne, hasValue }: OldRows,
  limit: number,
  ...value: number[]
): Promise<number> {
  if (!db.isDistributed()) return (await db.tx((tx) => tx.query(all, [limit, ...value]))).length;
  type Row = Record<string, unknown> & { organization_id: string };
  const found = await db.read.query<Row>(look, [limit, ...value]);
  let forgotten = 0;
  await eachApart(
    Map.groupBy(found, (row) => row.organization_id),
    async ([organizationId, rows]) => {
      const columns = keys.map((key) => rows.map((row) => row[key]));
      const values = [organizationId, ...columns, ...(hasValue ? value : [])];
      const { length } = await db.tx((tx) => tx.query(ofOne, values));
      forgotten += length;
    },
  );
  return forgotten;
}
