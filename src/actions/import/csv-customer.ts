import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { runDue } from "../../domain/collection/due.ts";
import {
  importRow,
  moneyOf,
  type CsvChoices,
  type ImportedRow,
  type ResolvedRow,
  type RowMoney,
} from "../../domain/import/csv-rows.ts";
import { readTerms, type CsvRow } from "../../domain/import/csv-terms.ts";
import type { ImportRow } from "../../domain/import/import.ts";
import { isRefusal, Refusal } from "../../domain/refusal.ts";
import { presentTermsFault, type ColumnFault } from "../../resources/csv-faults.ts";
import { importedBalanceNote } from "../../resources/import-meanings.ts";
import { presentRefusal } from "../../resources/refusal.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import type { Tx } from "../../store/driver/db.ts";
import { beginImport, findImport, moveState } from "../../store/imports.ts";
import { readOrganization, type OrganizationInTime } from "../../store/organizations.ts";
import { findProductByKey } from "../../store/products.ts";
import { inBillingIfThere } from "../customer-billing.ts";
import { inResolved } from "../customer/find.ts";
import { changedColumns, snapshotOf, type RowSnapshot } from "./csv-changes.ts";

/** An import from a file. `isDry`: each transaction is undone. */
export type CsvImport = CsvChoices & { organizationId: string; isDry: boolean };

/**
 * The outcome of a row. `found`: an earlier run has imported the row. `changed`: the columns that differ from the
 * imported row, which stays as it is. `money` null: the row has no Subscription.
 */
export type RowOutcome = { line: number; id: string | null } & (
  | { status: "imported" | "found"; changed: string[]; money: RowMoney | null; subscriptionId: string | null }
  | { status: "faulty"; faults: ColumnFault[] }
);

/** Undoes the transaction of a dry run, or of rows with faults. */
class Undone extends Error {
  readonly outcomes: RowOutcome[];

  constructor(outcomes: RowOutcome[]) {
    super("undone");
    this.outcomes = outcomes;
  }
}

const SOURCE = "csv";

/** The column of a refused value of the API. */
const COLUMNS: Readonly<Record<string, string>> = {
  "/productKey": "product",
  "/amount": "amount",
  "/quantity": "quantity",
  "/currency": "currency",
};

/** The id of a Subscription that this transaction made, with the line of its row. */
type Made = ReadonlyMap<string | null, number>;

/** The remedies of the API are for a buyer, and the ids of a dry run are undone. */
function groupFault({ subscriptionId }: { subscriptionId: string | null }, made: Made): ColumnFault {
  const line = made.get(subscriptionId);
  const message =
    line === undefined
      ? `The Customer has the Subscription ${subscriptionId} of this group here, and has one of a group. ` +
        "Leave the row out, or end that one first."
      : `The Subscription of line ${line} has the same group, and a Customer has one of a group. Leave one out.`;
  return { column: "product", message };
}

function faultsOf(refusal: Refusal, made: Made): ColumnFault[] {
  if (isRefusal(refusal, "already_subscribed") && refusal.values.subscriptionId !== null)
    return [groupFault(refusal.values, made)];
  const { message, parts } = presentRefusal(refusal);
  const { errors = [] } = parts;
  if (errors.length === 0) return [{ column: null, message }];
  return errors.map((each) => ({ column: COLUMNS[each.pointer] ?? null, message: each.message }));
}

type Work = {
  ctx: Context;
  tx: Tx;
  of: CsvImport;
  inTime: OrganizationInTime;
};

const keyOf = ({ organizationId, system }: CsvImport, ref: string) =>
  ({
    organizationId,
    source: SOURCE,
    account: system,
    ref,
  }) as const;

/** The row of an earlier run; null: this transaction has taken the row. */
async function taken({ tx, of, inTime }: Work, row: CsvRow): Promise<ImportRow | null> {
  const key = keyOf(of, row.id);
  const known = await findImport(tx, key);
  if (known && known.state !== "assessed") return known;
  const begun = await beginImport(
    tx,
    key,
    {
      ref: row.id,
      customerRef: row.customer.externalId ?? "",
      currency: row.terms?.currency ?? row.balance?.currency ?? inTime.organization.defaultCurrency,
      monthly: 0,
      nextChargeAt: row.terms?.periodEnd ?? null,
    },
    instant(realNow()),
  );
  return begun.state === "assessed" ? null : begun;
}

/** The terms of a row with the Product and the Discount that it names, or the faults. */
async function resolved({ tx, of, inTime }: Work, row: CsvRow): Promise<ResolvedRow | ColumnFault[]> {
  const { terms } = row;
  const balance = row.balance && { ...row.balance, reason: importedBalanceNote(of.system) };
  if (terms === null) return { subscription: null, balance };
  const { organization, now } = inTime;
  const { organizationId } = of;
  const { productKey, discountCode, currency } = terms;
  const [product, discount] = await Promise.all([
    findProductByKey(tx, organizationId, productKey),
    discountCode === null ? null : findDiscountByCode(tx, organizationId, discountCode),
  ]);
  const read = readTerms(terms, { product, discount, now, zone: organization.timeZone });
  if ("faults" in read) return read.faults.map(presentTermsFault);
  return { subscription: { currency, ...read }, balance };
}

/** A row of the decision. `known`: an earlier run has imported the row. */
type OpenRow = { row: CsvRow } & ({ known: ImportRow } | { known: null; resolved: ResolvedRow });

/** The refusal of a row: the other rows of the Customer are not decided. */
class RowRefused extends Error {
  readonly refused: { row: CsvRow; faults: ColumnFault[] };

  constructor(row: CsvRow, refusal: Refusal, made: Made) {
    super("refused", { cause: refusal });
    this.refused = { row, faults: faultsOf(refusal, made) };
  }
}

function moneyOfKnown(billing: CustomerBilling, { subscriptionId, currency }: ImportRow): RowMoney | null {
  if (subscriptionId === null) return null;
  const subscription = billing.subscriptions.get(subscriptionId);
  return subscription ? moneyOf(billing, subscription) : { currency, monthly: 0, next: 0 };
}

/** Decides the rows of one Customer in the order of the file. @throws RowRefused */
function decideRows(billing: CustomerBilling, rows: readonly OpenRow[], of: CsvImport): ImportedRow[] {
  const made = new Map<string, number>();
  runDue(billing);
  return rows.map((each) => {
    if (each.known) return { subscription: null, money: moneyOfKnown(billing, each.known) };
    try {
      const imported = importRow(billing, each.resolved, { ...of, ref: each.row.id });
      if (imported.subscription) made.set(imported.subscription.id, each.row.line);
      return imported;
    } catch (error) {
      throw error instanceof Refusal ? new RowRefused(each.row, error, made) : error;
    }
  });
}

type Decided = { customerId: string; rows: ImportedRow[] };

/** Finds or makes the Customer (rule V20c). Null: an earlier run has imported a row of the Customer, who was deleted since. */
async function decide({ ctx, tx, of, inTime }: Work, rows: readonly OpenRow[]): Promise<Decided | null> {
  const decideAll = (billing: CustomerBilling): Decided => {
    return { customerId: billing.customer.id, rows: decideRows(billing, rows, of) };
  };
  const known = rows.find((each) => each.known)?.known ?? null;
  if (known === null) return inResolved(ctx, tx, inTime, rows[0]!.row.customer, decideAll);
  return inBillingIfThere(ctx, tx, { organizationId: of.organizationId, id: known.customerId! }, decideAll);
}

/** Records that a row is imported (rule V20b). A row without a Subscription has no more steps either. */
async function finish({ tx, of }: Work, { row, customerId, subscription, money }: Finished): Promise<void> {
  const at = instant(realNow());
  const balanceMoved = row.balance?.amount ?? null;
  const common = { customerId, snapshot: snapshotOf(row), balanceMoved };
  const key = keyOf(of, row.id);
  if (subscription === null || money === null) return void (await moveState(tx, key, "assessed", "left", common, at));
  const { currency, monthly, next: ownTotal } = money;
  const dates = { nextChargeAt: subscription.currentPeriodEnd, movedAt: at, finishedAt: at };
  const fields = { ...common, ...dates, subscriptionId: subscription.id, currency, monthly, ownTotal };
  await moveState(tx, key, "assessed", "finished", fields, at);
}
type Finished = ImportedRow & { row: CsvRow; customerId: string };

function foundOutcome({ row, known }: { row: CsvRow; known: ImportRow }, money: RowMoney | null): RowOutcome {
  const changed = known.snapshot === null ? [] : changedColumns(known.snapshot as RowSnapshot, row);
  return { line: row.line, id: row.id, status: "found", changed, money, subscriptionId: known.subscriptionId };
}

const faulty = ({ line, id }: Pick<CsvRow, "line" | "id">, message: string): RowOutcome => {
  return { line, id, status: "faulty", faults: [{ column: null, message }] };
};
export const OTHER_ROW = "Another row of this Customer has a fault, and the rows of a Customer are imported together.";
const DELETED = "An earlier row of this Customer was imported, and the Customer was deleted since. Leave the row out.";

async function takeRows(work: Work, rows: readonly CsvRow[]): Promise<RowOutcome[]> {
  const open: OpenRow[] = [];
  const faults = new Map<CsvRow, ColumnFault[]>();
  for (const row of rows) {
    const known = await taken(work, row);
    const names = known ? null : await resolved(work, row);
    if (Array.isArray(names)) faults.set(row, names);
    else open.push(known ? { row, known } : { row, known: null, resolved: names! });
  }
  const refuse = () =>
    rows.map((row): RowOutcome => {
      const own = faults.get(row);
      return own ? { line: row.line, id: row.id, status: "faulty", faults: own } : faulty(row, OTHER_ROW);
    });
  if (faults.size > 0) throw new Undone(refuse());
  const decided = await decide(work, open).catch((error: unknown) => {
    if (!(error instanceof RowRefused)) throw error;
    faults.set(error.refused.row, error.refused.faults);
    throw new Undone(refuse());
  });
  const outcomes: RowOutcome[] = [];
  for (const [n, each] of open.entries()) {
    const { row } = each;
    const made = decided?.rows[n] ?? null;
    if (each.known) outcomes.push(foundOutcome(each, made?.money ?? null));
    else if (decided === null || made === null) outcomes.push(faulty(row, DELETED));
    else {
      await finish(work, { ...made, row, customerId: decided.customerId });
      const subscriptionId = made.subscription?.id ?? null;
      outcomes.push({ line: row.line, id: row.id, status: "imported", changed: [], money: made.money, subscriptionId });
    }
  }
  return outcomes;
}

/**
 * Imports the rows of one Customer in one transaction, or no row (rule V20a). A dry run does the same, and undoes
 * the transaction. A row that an earlier run has imported stays as it is.
 */
export async function importCustomer(ctx: Context, of: CsvImport, rows: readonly CsvRow[]): Promise<RowOutcome[]> {
  try {
    return await ctx.db.tx(async (tx) => {
      const inTime = await readOrganization(tx, of.organizationId);
      const outcomes = await takeRows({ ctx, tx, of, inTime }, rows);
      if (of.isDry || outcomes.some(({ status }) => status === "faulty")) throw new Undone(outcomes);
      return outcomes;
    });
  } catch (error) {
    if (error instanceof Undone) return error.outcomes;
    throw error;
  }
}
