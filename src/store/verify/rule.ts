import { sql, type Statement, type Tx } from "../db.ts";

/** A state that must never be: a name for machines, a sentence for people, and the query that finds its places. */
export type Rule = { name: string; says: string; statement: Statement };

/** One place where a rule is broken: ids and figures under their names. */
export type Example = Record<string, string | number | boolean | null>;

/** How often a rule is broken, and the first places. */
export type Found = { count: number; examples: Example[] };

/** More places are counted, but not listed. */
export const MOST_EXAMPLES = 100;

/** The query answers a row for each place, with ids and figures under their names. `$1` is the Organization. */
export function rule(name: string, says: string, query: string): Rule {
  const text = `SELECT row_to_json(place) AS example, count(*) OVER () AS count FROM (${query}) AS place
    LIMIT ${MOST_EXAMPLES}`;
  return { name, says, statement: sql(`verify.${name}`, text) };
}

/** An instant as the API writes it, in a session of any time zone. For a column of a result. */
export function utc(column: string): string {
  return `to_char((${column}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export async function find(tx: Tx, { statement }: Rule, organizationId: string): Promise<Found> {
  const rows = await tx.query<{ example: Example; count: number }>(statement, [organizationId]);
  return { count: rows[0]?.count ?? 0, examples: rows.map(({ example }) => example) };
}
