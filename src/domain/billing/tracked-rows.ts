/**
 * The changes of one table that are to be written. A row that was made and then changed is only in `inserted`, in its
 * final form.
 */
export type RowChanges<Row> = { inserted: Row[]; updated: Updated<Row>[]; dropped: Row[] };
/** A row as it is now, and as it was loaded. */
export type Updated<Row> = { row: Row; before: Row };

const NO_CHANGES: RowChanges<never> = { inserted: [], updated: [], dropped: [] };

/**
 * A Customer's rows of one table: as they were loaded, with all changes of decisions since. Rows are never changed in
 * place, so several instances can share the rows that were loaded once. Maps are made on first use: one Customer's
 * billing has eighteen tables, and a decision touches only a few of them.
 */
export class TrackedRows<Row extends { id: string }> {
  readonly #loaded: readonly Row[];
  readonly #require: () => void;
  #rows: Map<string, Row> | null = null;
  #changes: { stored: ReadonlyMap<string, Row>; changed: Set<string>; dropped: Map<string, Row> } | null = null;

  /** `require` throws if the rows were not loaded: without them this class can't tell a new row from a stored one. */
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

  /** The rows that meet a condition, in the order of their ids, which is the order in which the rows were made. */
  where(condition: (row: Row) => boolean): Row[] {
    this.#require();
    return [...this.#all().values()].filter(condition).sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Whether a decision has made the row since the billing was loaded. */
  isNew(id: string): boolean {
    this.#require();
    return this.#all().has(id) && !this.#changing().stored.has(id);
  }

  /** Adds a row that a decision has just made. This works even if the table's rows were not loaded. */
  add(row: Row): void {
    this.#all().set(row.id, row);
    this.#changing().changed.add(row.id);
  }

  /** Adds a row, or replaces the row with the same id. */
  put(row: Row): void {
    this.#require();
    this.add(row);
  }

  drop(row: Row): void {
    this.#require();
    const { stored, changed, dropped } = this.#changing();
    this.#all().delete(row.id);
    changed.delete(row.id);
    if (stored.has(row.id)) dropped.set(row.id, row);
  }

  /** The changes, in the order in which rows were first changed. */
  changes(): RowChanges<Row> {
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
