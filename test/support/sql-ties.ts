/**
 * A set of equal values. `beside` unites the values that conditions of one FROM make equal, and `inside` also unites a
 * column of a subquery or a CTE with the column that it is read from. `outside` also unites values that are equal only
 * by a condition on the enclosing query.
 */
export type Tie = { beside: Tie | null; inside: Tie | null; outside: Tie | null };
export type Way = keyof Tie;
export type Column = { name: string; tie: Tie | null } | { star: Source[] };
/**
 * An item of a FROM. `column` gives the tie of a column, and `ties` gives all of them. `keyless`: its rows belong to
 * no Organization.
 */
export type Source = { name: string; column(name: string): Tie | null; ties(): Tie[]; keyless?: boolean };
export type Scope = { sources: Source[]; around: Scope | null; named: ReadonlyMap<string, Column[]> };

/** A value that equals no other one yet. */
export const newTie = (): Tie => ({ beside: null, inside: null, outside: null });
/** Two values are equal in this way if their roots are the same. */
export const rootOf = (tie: Tie, way: Way): Tie => (tie[way] ? rootOf(tie[way], way) : tie);

/** Makes two values equal, in each of these ways. */
export function unite(one: Tie | null, other: Tie | null, ...ways: Way[]): void {
  if (!one || !other) return;
  for (const way of ways) {
    const [first, second] = [rootOf(one, way), rootOf(other, way)];
    if (first !== second) first[way] = second;
  }
}

/** The tie of the first column of this name; null if there is no such column. */
export function columnIn(columns: Column[], name: string): Tie | null {
  for (const column of columns) {
    if ("name" in column && column.name === name) return column.tie;
    const found = "star" in column ? column.star.map((each) => each.column(name)).find((tie) => tie !== null) : null;
    if (found) return found;
  }
  return null;
}

const tiesIn = (columns: Column[]): Tie[] =>
  columns.flatMap((column) =>
    "star" in column ? column.star.flatMap((each) => each.ties()) : column.tie ? [column.tie] : [],
  );
/** The result of a query as an item of a FROM. */
export function queried(name: string, columns: Column[]): Source {
  const read = new Map<Tie, Tie>();
  const readTie = (tie: Tie) =>
    read.getOrInsertComputed(tie, () => {
      const own = newTie();
      unite(own, tie, "inside", "outside");
      return own;
    });
  return {
    name,
    column(each) {
      const tie = columnIn(columns, each);
      return tie && readTie(tie);
    },
    ties: () => tiesIn(columns).map(readTie),
  };
}

/** The tie of the column at a place, counted from 0. @throws if a `*` comes before */
export function tieAt(columns: Column[], n: number): Tie | null {
  const before = columns.slice(0, n + 1);
  if (before.some((column) => "star" in column)) throw new Error("a column behind a * can't be told by its place");
  return (before[n] as { tie: Tie | null } | undefined)?.tie ?? null;
}
