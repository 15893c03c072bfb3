import { sql, type Statement } from "../driver/db.ts";
import type { Snapshot } from "./snapshot.ts";
import { TABLES, type Table } from "./tables.ts";

/**
 * A state that must never occur: a name for machines, a sentence for people, and the query that finds the violations.
 * `tables`: the tables of `TABLES` that the query reads. If all of them are empty, the query finds no violation, unless
 * it compares the Organization's own row with them (`always`). `within`: the query finds no violation if this table
 * alone is empty.
 */
export type Rule = {
  name: string;
  says: string;
  statement: Statement;
  tables: readonly Table[];
  always: boolean;
  within?: Table;
};

/** One violation of a rule: the ids and figures that show it, by name. */
export type Example = Record<string, string | number | boolean | null>;

/** The number of violations of a rule, and the first of them. */
export type Found = { count: number; examples: Example[] };

/** Further violations are counted, but not listed. */
export const MOST_EXAMPLES = 100;

/**
 * How many rules are sent at once. One by one, each rule would cost a trip, and the trips of a small Organization take
 * longer than its rules. PostgreSQL computes all sent rules, even if this process has ended meanwhile.
 */
const AT_ONCE = 30;

/**
 * Makes a rule. `query` answers a row for each violation, with ids and figures as named columns. `$1` is the
 * Organization.
 */
export function rule(name: string, says: string, query: string, always = false): Rule {
  const text = `SELECT row_to_json(place) AS example, count(*) OVER () AS count FROM (${query}) AS place
    LIMIT ${MOST_EXAMPLES}`;
  const words = new Set(query.match(/\w+/g));
  return {
    name,
    says,
    statement: sql(`verify.${name}`, text),
    tables: TABLES.filter((table) => words.has(table)),
    always,
  };
}

/**
 * An expression of the Organization's row `o`. A join with the one row would be a nested loop, which a verification
 * switches off: PostgreSQL 15 to 17 then choose the rest of the plan at random.
 */
export const ofOrganization = (expression: string) => `(SELECT ${expression} FROM organizations o WHERE o.id = $1)`;

/**
 * Whether a resource was made before the last event that was deleted because of its age (rule I4f). Such a resource may
 * lack events. Ids have the time of their making after the underscore. `id`: a column.
 */
export const mayLackEvents = (id: string) =>
  `substr(${id}, strpos(${id}, '_') + 1) < COALESCE((SELECT substr(p.deleted_until, strpos(p.deleted_until, '_') + 1)
      FROM metric_progress p WHERE p.organization_id = $1), '')`;

/** SQL that formats a result column as the API writes instants, regardless of the session's time zone. */
export function utc(column: string): string {
  return `to_char((${column}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export async function find({ tx, organizationId }: Snapshot, { statement }: Rule): Promise<Found> {
  const rows = await tx.query<{ example: Example; count: number }>(statement, [organizationId]);
  return { count: rows[0]?.count ?? 0, examples: rows.map(({ example }) => example) };
}

/** A rule's name and sentence, and its violations. */
export type Checked = { rule: string; says: string } & Found;

/** The violations in the order of the rules. Rules with empty tables are left out. */
export async function findAll(snapshot: Snapshot, rules: readonly Rule[]): Promise<Checked[]> {
  // A rule without a table reads only the row of the Organization.
  const isAsked = ({ always, tables, within }: Rule) =>
    within ? snapshot.filled[within] : always || tables.length === 0 || tables.some((table) => snapshot.filled[table]);
  const asked = rules.filter(isAsked);
  const check = async (each: Rule) => ({ rule: each.name, says: each.says, ...(await find(snapshot, each)) });
  const all: Checked[] = [];
  for (let n = 0; n < asked.length; n += AT_ONCE)
    all.push(...(await Promise.all(asked.slice(n, n + AT_ONCE).map(check))));
  return all;
}
