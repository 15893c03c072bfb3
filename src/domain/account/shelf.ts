/** Changes of one table that are to be kept. A row that was made and changed again is in `inserted` alone, as it is in the end. */
export type ShelfChanges<Row> = { inserted: Row[]; updated: Updated<Row>[]; dropped: Row[] };
/** A row as it is now, and as it was loaded. */
export type Updated<Row> = { row: Row; before: Row };

const NO_CHANGES: ShelfChanges<never> = { inserted: [], updated: [], dropped: [] };

/**
 * The rows of one table that belong to an Account: as they were loaded, and as decisions have changed them since. Rows are never changed in
 * place, so that several shelves can be made of the rows that were loaded once. Maps are made when they are needed: an Account has eighteen
 * shelves, of which a decision touches a few.
 */
export class Shelf<Row extends { id: string }> {
  readonly #loaded: readonly Row[];
  readonly #require: () => void;
  #rows: Map<string, Row> | null = null;
  #changes: { stored: ReadonlyMap<string, Row>; changed: Set<string>; dropped: Map<string, Row> } | null = null;

  /** `require` throws where the rows were not loaded; without rows the shelf can't tell a new row from a stored one. */
  constructor(loaded: readonly Row[], require: () => void = () => undefined) {
    this.#loaded = loaded;
    this.#require = require;
  }

  #all(): Map<string, Row> {
    return (this.#rows ??= mapOf(this.#loaded));
  }

  #changing() {
    return (this.#changes ??= { stored: mapOf(this.#loaded), changed: new Set(), dropped: new Map() });
  }

  get(id: string): Row | null {
    this.#require();
    return this.#all().get(id) ?? null;
  }

  /** The rows that fulfil a condition, in the order of their ids: the order in which they were made. */
  where(condition: (row: Row) => boolean): Row[] {
    this.#require();
    return [...this.#all().values()].filter(condition).sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Whether a decision has made the row: it was not loaded. */
  isNew(id: string): boolean {
    this.#require();
    return this.#all().has(id) && !this.#changing().stored.has(id);
  }

  /** Adds a row that a decision has made just now: whether rows were loaded does not matter. */
  add(row: Row): void {
    this.#all().set(row.id, row);
    this.#changing().changed.add(row.id);
  }

  /** Adds a row, or puts another version of it in its place. */
  put(row: Row): void {
    this.#require();
    this.add(row);
  }

  /** Deletes a row. */
  drop(row: Row): void {
    this.#require();
    const { stored, changed, dropped } = this.#changing();
    this.#all().delete(row.id);
    changed.delete(row.id);
    if (stored.has(row.id)) dropped.set(row.id, row);
  }

  /** In the order in which rows were changed first. */
  changes(): ShelfChanges<Row> {
    if (this.#changes === null) return NO_CHANGES;
    const { stored, changed: ids, dropped } = this.#changes;
    const changed = [...ids].map((id) => this.#all().get(id)!);
    return {
      inserted: changed.filter(({ id }) => !stored.has(id)),
      updated: changed.flatMap((row) => {
        const before = stored.get(row.id);
        return before ? [{ row, before }] : [];
      }),
      dropped: [...dropped.values()],
    };
  }
}

const mapOf = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
