import type { Context } from "../../context.ts";
import type { CsvRecord } from "../../domain/import/csv-parser.ts";
import type { CsvRow } from "../../domain/import/csv-terms.ts";
import type { Amount } from "../../domain/money.ts";
import { importCustomer, OTHER_ROW, type CsvImport, type RowOutcome } from "./csv-customer.ts";
import { groupRows, type CsvGroup } from "./csv-groups.ts";
import type { RowDefaults } from "./csv-row.ts";

/** Minor units. `monthly`: rule R2, before discounts and taxes. `next`: the totals of the next invoices, with both. */
export type CurrencySums = { subscriptions: number; monthly: Amount; next: Amount };

/**
 * The sums of a pass over a file. `imported`, `found`, `faulty`: rows. `changed`: those of `found` that differ from
 * their import. `money`: over the rows that are imported or found.
 */
export type CsvSums = {
  rows: number;
  customers: number;
  imported: number;
  found: number;
  changed: number;
  faulty: number;
  money: Map<string, CurrencySums>;
};

const noSums = (): CsvSums => {
  return { rows: 0, customers: 0, imported: 0, found: 0, changed: 0, faulty: 0, money: new Map() };
};

function count(sums: CsvSums, outcome: RowOutcome): void {
  sums.rows += 1;
  sums[outcome.status] += 1;
  if (outcome.status === "faulty" || outcome.money === null) return;
  if (outcome.changed.length > 0) sums.changed += 1;
  const { currency, monthly, next } = outcome.money;
  const share = sums.money.getOrInsertComputed(currency, () => ({ subscriptions: 0, monthly: 0, next: 0 }));
  share.subscriptions += 1;
  share.monthly += monthly;
  share.next += next;
}

/** The Customers in progress at one time. One connection waits mostly for the disk. */
const AT_ONCE = 4;

const isFine = (group: CsvGroup): boolean => group.every(({ faults }) => faults === null);

function faultsOf(group: CsvGroup): RowOutcome[] {
  return group.map(({ line, id, faults }) => {
    return { line, id, status: "faulty", faults: faults ?? [{ column: null, message: OTHER_ROW }] };
  });
}

const rowsOf = (group: CsvGroup): CsvRow[] => group.map(({ row }) => row!);

/** The outcomes of some Customers in the order of the file. */
async function* outcomesOf(ctx: Context, of: CsvImport, groups: AsyncIterable<CsvGroup>): AsyncGenerator<RowOutcome[]> {
  const running: Promise<RowOutcome[]>[] = [];
  for await (const group of groups) {
    const outcomes = isFine(group) ? importCustomer(ctx, of, rowsOf(group)) : Promise.resolve(faultsOf(group));
    // The failure is thrown where the outcomes are read.
    outcomes.catch(() => undefined);
    running.push(outcomes);
    if (running.length >= AT_ONCE) yield await running.shift()!;
  }
  for (const outcomes of running) yield await outcomes;
}

/** A file with its head. `records`: reads the rows below the head from the begin. */
export type CsvSource = { records(): AsyncIterable<CsvRecord>; names: readonly string[]; defaults: RowDefaults };

/** `row`: takes each outcome in the order of the file. `except`: the lines of Customers that are left out. */
export type CsvListener = { row(outcome: RowOutcome): Promise<void> | void; except?: ReadonlySet<number> };

/**
 * One pass over a file: each Customer in a transaction of its own, which a dry run undoes (rule V20). After a crash a
 * repeat finds the rows that are imported. @throws CsvFileError
 */
export async function importCsv(
  ctx: Context,
  of: CsvImport,
  { records, names, defaults }: CsvSource,
  { row, except = new Set() }: CsvListener,
): Promise<CsvSums> {
  const sums = noSums();
  async function* wanted(): AsyncGenerator<CsvGroup> {
    for await (const group of groupRows(records(), names, defaults))
      if (!group.some(({ line }) => except.has(line))) yield group;
  }
  for await (const outcomes of outcomesOf(ctx, of, wanted())) {
    sums.customers += 1;
    for (const outcome of outcomes) {
      count(sums, outcome);
      await row(outcome);
    }
  }
  return sums;
}
