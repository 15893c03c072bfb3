/** Changes of one table that are to be kept. A row that was made and changed again is in `inserted` alone, as it is in the end. */
export type ShelfChanges<Row> = { inserted: Row[]; updated: Updated<Row>[]; dropped: Row[] };
/** A row as it is now, and as it was loaded. */
export type Updated<Row> = { row: Row; before: Row };

/**
 * The rows of one table that belong to an Account: as they were loaded, and as decisions have changed them since. Rows are never changed in
 * place, so that several shelves can be made of the rows that were loaded once.
 */
export class Shelf<Row extends { id: string }> {
  readonly #rows: Map<string, Row>;
  readonly #stored: ReadonlyMap<string, Row>;
  readonly #changed = new Set<string>();
  readonly #dropped = new Map<string, Row>();

  readonly #require: () => void;

  /** `require` throws where the rows were not loaded; without rows the shelf can't tell a new row from a stored one. */
  constructor(stored: readonly Row[], require: () => void = () => undefined) {
    this.#require = require;
    this.#rows = new Map(stored.map((row) => [row.id, row]));
    this.#stored = new Map(this.#rows);
  }

  get(id: string): Row | null {
    this.#require();
    return this.#rows.get(id) ?? null;
  }

  /** The rows that fulfil a condition, in the order of their ids: the order in which they were made. */
  where(condition: (row: Row) => boolean): Row[] {
    this.#require();
    return [...this.#rows.values()].filter(condition).sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Whether a decision has made the row: it was not loaded. */
  isNew(id: string): boolean {
    this.#require();
    return this.#rows.has(id) && !this.#stored.has(id);
  }

  /** Adds a row that a decision has made just now: whether rows were loaded does not matter. */
  add(row: Row): void {
    this.#rows.set(row.id, row);
    this.#changed.add(row.id);
  }

  /** Adds a row, or puts another version of it in its place. */
  put(row: Row): void {
    this.#require();
    this.add(row);
  }

  /** Deletes a row. */
  drop(row: Row): void {
    this.#require();
    this.#rows.delete(row.id);
    this.#changed.delete(row.id);
    if (this.#stored.has(row.id)) this.#dropped.set(row.id, row);
  }

  /** In the order in which rows were changed first. */
  changes(): ShelfChanges<Row> {
    const changed = [...this.#changed].map((id) => this.#rows.get(id)!);
    return {
      inserted: changed.filter(({ id }) => !this.#stored.has(id)),
      updated: changed.flatMap((row) => {
        const before = this.#stored.get(row.id);
        return before ? [{ row, before }] : [];
      }),
      dropped: [...this.#dropped.values()],
    };
  }
}
