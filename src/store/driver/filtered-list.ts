import { sql, type Queryable, type Statement } from "./statement.ts";

/** A condition of a statement. `value` is a parameter, or a word in the text. */
type Condition = (value: string) => string;

export type FilteredList<Value extends string, Word extends string> = {
  /** The statement's name without filters: `invoices.list`. */
  name: string;
  /** From SELECT to the first conditions. The Organization's id is `$1`. */
  select: string;
  order: string;
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
  query: { limit: number } & Partial<Record<Value | Word, unknown>>,
) => Promise<Row[]> {
  const values = Object.keys(list.values) as Value[];
  const words = Object.keys(list.words ?? {}) as Word[];
  return (db, organizationId, query) => {
    const given = values.filter((name) => query[name] !== undefined);
    const chosen = words.flatMap((name) => (query[name] === undefined ? [] : [[name, String(query[name])] as const]));
    const parameters = [organizationId, query.limit + 1, ...given.map((name) => query[name])];
    return db.query<Row>(statementOf(list, given, chosen), parameters);
  };
}

/**
 * Names are at most 63 bytes long, so a filter is named by its place.
 * @throws RangeError for a word that could be more than a word
 */
function statementOf<Value extends string, Word extends string>(
  { name, select, order, values, words }: FilteredList<Value, Word>,
  given: readonly Value[],
  chosen: readonly (readonly [Word, string])[],
): Statement {
  const names = [...Object.keys(values), ...Object.keys(words ?? {})];
  const unknown = chosen.find(([, word]) => !WORD.test(word));
  if (unknown) throw new RangeError(`${unknown[1]} is no word for ${unknown[0]}`);
  const conditions = [
    ...given.map((filter, n) => values[filter](`$${n + 3}`)),
    ...chosen.map(([filter, word]) => words![filter](word)),
  ];
  const marks = [...given.map((filter) => [filter, ""]), ...chosen].map(
    ([filter, word]) => `_${names.indexOf(filter!)}${word}`,
  );
  const where = conditions.map((condition) => ` AND ${condition}`).join("");
  return sql(name + marks.join(""), `${select}${where} ORDER BY ${order} LIMIT $2`);
}
