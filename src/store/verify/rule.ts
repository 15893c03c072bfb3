import { sql, type Statement, type Tx } from "../db.ts";

/**
 * A state that must never occur: a name for machines, a sentence for people, and the query that finds the violations.
 */
export type Rule = { name: string; says: string; statement: Statement };

/** One violation of a rule: the ids and figures that show it, by name. */
export type Example = Record<string, string | number | boolean | null>;

/** The number of violations of a rule, and the first of them. */
export type Found = { count: number; examples: Example[] };

/** Further violations are counted, but not listed. */
export const MOST_EXAMPLES = 100;

/**
 * Makes a rule. `query` answers a row for each violation, with ids and figures as named columns. `$1` is the
 * Organization.
 */
export function rule(name: string, says: string, query: string): Rule {
  const text = `SELECT row_to_json(place) AS example, count(*) OVER () AS count FROM (${query}) AS place
    LIMIT ${MOST_EXAMPLES}`;
  return { name, says, statement: sql(`verify.${name}`, text) };
}

/** SQL that formats a result column as the API writes instants, regardless of the session's time zone. */
export function utc(column: string): string {
  return `to_char((${column}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export async function find(tx: Tx, { statement }: Rule, organizationId: string): Promise<Found> {
  const rows = await tx.query<{ example: Example; count: number }>(statement, [organizationId]);
  return { count: rows[0]?.count ?? 0, examples: rows.map(({ example }) => example) };
}
