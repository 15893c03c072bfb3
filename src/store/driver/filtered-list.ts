import { formatInstant, type Instant } from "../../domain/calendar.ts";
import { sql, type Queryable, type Statement } from "./statement.ts";

/** A condition of a statement. `value` is a parameter, or a word in the text. */
type Condition = (value: string) => string;

/**
 * Only rows that were created in [createdFrom, createdUntil) of billing time. With one of these, rows are in the order
 * of their creation, the newest first unless `sort` says otherwise; without, in the order of their ids.
 */
export type CreatedSpan = {
  createdFrom?: Instant | undefined;
  createdUntil?: Instant | undefined;
  sort?: "newest" | "oldest" | undefined;
};

export type FilteredList<Value extends string, Word extends string> = {
  /** The statement's name without filters: `invoices.list`. */
  name: string;
  /** From SELECT to the first conditions. The Organization's id is `$1`. */
  select: string;
  order: string;
  /** The rows of a list that takes a `CreatedSpan`. `alias`: the name of the table in `select`. */
  created?: { table: string; alias: string };
  /** Filters by any value, which becomes a parameter. */
  values: Record<Value, Condition>;
  /** Filters by one of a few words, such as a status. The word stands in the text. */
  words?: Record<Word, Condition>;
};

const WORD = /^[a-z_]+$/;

/**
 * A list with filters. Each set of filters has its own statement, and so has each word: one plan for all of them would
 * read a million paid invoices to find a few open ones, since PostgreSQL can't use an index on `status = 'open'` for a
 * parameter. The words are those of a schema, so the number of statements is bounded.
 */
export function filteredList<Row, Value extends string, Word extends string = never>(
  list: FilteredList<Value, Word>,
): (
  db: Queryable,
  organizationId: string,
  query: { limit: number } & Partial<Record<Value | Word, unknown>> & CreatedSpan,
) => Promise<Row[]> {
  const values = Object.keys(list.values) as Value[];
  const words = Object.keys(list.words ?? {}) as Word[];
  return (db, organizationId, query) => {
    const given = values.filter((name) => query[name] !== undefined);
    const chosen = words.flatMap((name) => (query[name] === undefined ? [] : [[name, String(query[name])] as const]));
    const times = [query.createdFrom, query.createdUntil].filter((at) => at !== undefined).map(formatInstant);
    const parameters = [organizationId, query.limit + 1, ...given.map((name) => query[name]), ...times];
    return db.query<Row>(statementOf(list, given, chosen, query), parameters);
  };
}

const MARKS = { newest: "_n", oldest: "_o" };

/** The conditions and the order of rows in a span of time. `first`: the number of the first parameter of the span. */
function createdIn({ table, alias }: { table: string; alias: string }, span: CreatedSpan, first: number) {
  const { createdFrom: from, createdUntil: until, sort = "newest" } = span;
  const [sign, way] = sort === "newest" ? ["<", "DESC"] : [">", "ASC"];
  const at = `${alias}.created_at`;
  return {
    marks: `${MARKS[sort]}${from === undefined ? "" : "f"}${until === undefined ? "" : "u"}`,
    conditions: [
      ...(from === undefined ? [] : [`${at} >= $${first}`]),
      ...(until === undefined ? [] : [`${at} < $${first + Number(from !== undefined)}`]),
    ],
    order: `${at} ${way}, ${alias}.id ${way}`,
    // The cursor is the id of a row, whose creation never changes.
    after: (cursor: string) => `(${at}, ${alias}.id) ${sign} (
     (SELECT e.created_at FROM ${table} e WHERE e.organization_id = $1 AND e.id = ${cursor}), ${cursor})`,
  };
}

/**
 * Names are at most 63 bytes long, so a filter is named by its place.
 * @throws RangeError for a word that could be more than a word
 */
function statementOf<Value extends string, Word extends string>(
  { name, select, order, created, values, words }: FilteredList<Value, Word>,
  given: readonly Value[],
  chosen: readonly (readonly [Word, string])[],
  span: CreatedSpan,
): Statement {
  const names = [...Object.keys(values), ...Object.keys(words ?? {})];
  const unknown = chosen.find(([, word]) => !WORD.test(word));
  if (unknown) throw new RangeError(`${unknown[1]} is no word for ${unknown[0]}`);
  const isSpan = created !== undefined && (span.createdFrom ?? span.createdUntil ?? span.sort) !== undefined;
  const within = isSpan ? createdIn(created, span, given.length + 3) : null;
  const conditions = [
    ...given.map((filter, n) => {
      const value = `$${n + 3}`;
      return within && filter === "cursor" ? within.after(value) : values[filter](value);
    }),
    ...chosen.map(([filter, word]) => words![filter](word)),
    ...(within?.conditions ?? []),
  ];
  const marks = [...given.map((filter) => [filter, ""]), ...chosen].map(
    ([filter, word]) => `_${names.indexOf(filter!)}${word}`,
  );
  const where = conditions.map((condition) => ` AND ${condition}`).join("");
  const text = `${select}${where} ORDER BY ${within?.order ?? order} LIMIT $2`;
  return sql(name + marks.join("") + (within?.marks ?? ""), text);
}
