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
