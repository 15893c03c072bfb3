import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { assessCustomer, newAssessment, type AssessedSubscription } from "../../domain/import/assessment.ts";
import { endSubscription } from "../../domain/collection/end.ts";
import type { ImportRow, ImportState } from "../../domain/import/import.ts";
import type { Circumstances, StayReason } from "../../domain/import/stay-reasons.ts";
import type { Amount } from "../../domain/money.ts";
import type { Product } from "../../domain/model/product.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { AccountReader } from "../../payments/account-reader.ts";
import { presentRefusal } from "../../resources/refusal.ts";
import { beginImport, cursorOf, findImport, listImports, moveState } from "../../store/imports.ts";
import { inBilling } from "../customer-billing.ts";
import { loadSubscription, type Loadable, type LoadFrom, type Obstacle } from "./load-subscription.ts";
import type { ReportRun } from "./report-run.ts";

/** `products`: by the provider's price. */
export type LoadAccount = LoadFrom & {
  reader: AccountReader;
  circumstances: Circumstances;
  products: ReadonlyMap<string, Product>;
  run: ReportRun;
};

/**
 * The place of a subscription after the import. `imported`: held here since now. `held`: held before, and brought in
 * line. `moved`: the cut-over has begun, or has ended. `left`: given up. `stays`: for the reasons, or for the obstacle.
 * `ended`: there since the last run, and so here now.
 */
export type LoadStatus = "imported" | "held" | "moved" | "left" | "stays" | "ended";

/** `price`: a price that was not in use when the mapping was checked. `refused`: in the words of `says`. */
export type LoadObstacle = Obstacle | "price" | "refused";

/** A subscription in the report. Totals are of the next invoice, in minor units before the balance. */
export type LoadedRow = {
  subscription: string;
  customer: string;
  email: string | null;
  status: LoadStatus;
  reasons: readonly StayReason[];
  obstacle: LoadObstacle | null;
  says: string | null;
  customerId: string | null;
  subscriptionId: string | null;
  currency: string;
  monthly: Amount;
  balance: Amount;
  expectedTotal: Amount | null;
  ownTotal: Amount | null;
  causes: readonly string[];
  otherBoundary: boolean;
  leftOut: readonly string[];
};

/** The most previews that are asked for at once. */
const AT_ONCE = 4;
const PAGE = 100;
const SOURCE = "stripe";

const STATUSES: Record<Exclude<ImportState, "assessed" | "imported">, LoadStatus> = {
  stopping: "moved",
  moved: "moved",
  finished: "moved",
  left: "left",
};

/** All that the row of an import tells about a subscription. */
function rowOf(assessed: AssessedSubscription, status: LoadStatus, row: ImportRow | null): LoadedRow {
  const { customer, subscription, reasons, monthly } = assessed;
  return {
    subscription: subscription.ref,
    customer: customer.ref,
    email: customer.email,
    status,
    reasons,
    obstacle: null,
    says: null,
    customerId: row?.customerId ?? null,
    subscriptionId: row?.subscriptionId ?? null,
    currency: subscription.currency,
    monthly,
    balance: customer.balance,
    expectedTotal: row?.expectedTotal ?? null,
    ownTotal: row?.ownTotal ?? null,
    causes: row?.state === "assessed" ? [] : (row?.causes ?? []),
    otherBoundary: false,
    leftOut: [],
  };
}

type Blocked = { obstacle: LoadObstacle; says: string | null };

/** As `loadSubscription`, with a refusal as an obstacle. */
async function tryToLoad(ctx: Context, of: LoadFrom, found: Loadable) {
  try {
    return await loadSubscription(ctx, of, found);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, parts } = presentRefusal(error);
    return { obstacle: "refused" as const, says: parts.detail ?? message };
  }
}

/** Stores an obstacle with a row that is not imported. A held Subscription stays as the last run has left it. */
async function noteObstacle(ctx: Context, of: LoadAccount, assessed: AssessedSubscription, obstacle: LoadObstacle) {
  const { organizationId, account } = of;
  const { subscription, customer, monthly } = assessed;
  const { ref, currency, nextChargeAt } = subscription;
  const key = { organizationId, source: SOURCE, account, ref } as const;
  const at = instant(realNow());
  await ctx.db.tx(async (tx) => {
    await beginImport(tx, key, { ref, customerRef: customer.ref, currency, monthly, nextChargeAt }, at);
    await moveState(tx, key, "assessed", "assessed", { causes: [obstacle], reasons: [] }, at);
  });
}

async function loadOne(ctx: Context, of: LoadAccount, assessed: AssessedSubscription): Promise<LoadedRow> {
  const { organizationId, account, reader, products, run } = of;
  const { customer, subscription, reasons, monthly } = assessed;
  const { ref } = subscription;
  const known = await findImport(ctx.db.read, { organizationId, source: SOURCE, account, ref });
  if (known !== null && known.state !== "assessed" && known.state !== "imported")
    return rowOf(assessed, STATUSES[known.state], known);
  const isHeld = known?.state === "imported";
  if (reasons.length > 0) {
    await run.add(assessed);
    return rowOf(assessed, isHeld ? "held" : "stays", known);
  }
  const blocked = async ({ obstacle, says }: Blocked): Promise<LoadedRow> => {
    if (!isHeld) await noteObstacle(ctx, of, assessed, obstacle);
    return { ...rowOf(assessed, isHeld ? "held" : "stays", known), obstacle, says };
  };
  const product = products.get(subscription.items[0]!.price.ref);
  if (!product) return blocked({ obstacle: "price", says: null });
  const upcoming = await reader.upcoming(ref);
  const loaded = await tryToLoad(ctx, of, { customer, subscription, monthly, upcoming, product });
  if ("obstacle" in loaded) return blocked({ says: null, ...loaded });
  const { row, isNew } = loaded;
  if (loaded.terms === null) return rowOf(assessed, STATUSES[row.state as keyof typeof STATUSES], row);
  const { otherBoundary, leftOut } = loaded;
  return { ...rowOf(assessed, isNew ? "imported" : "held", row), otherBoundary, leftOut };
}

/** Runs all of them to their end before the first error is thrown: no transaction goes on behind the command's back. */
async function together<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work);
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/** Ends a held Subscription that has ended in the other system, without an invoice (rule V6). */
async function endHere(ctx: Context, row: ImportRow): Promise<void> {
  const { organizationId, subscriptionId } = row;
  const at = instant(realNow());
  await ctx.db.tx(async (tx) => {
    const key = { by: "subscription", organizationId, id: subscriptionId! } as const;
    // The Customer's lock comes first. With a cut-over at the same moment the row is not `imported` any more.
    await inBilling(ctx, tx, key, () => undefined);
    if ((await moveState(tx, row, "imported", "left", { finishedAt: at }, at)) === null) return;
    await inBilling(ctx, tx, key, (billing) => {
      const subscription = billing.subscriptions.get(subscriptionId!);
      if (subscription) endSubscription(billing, subscription, "ended", billing.now);
    });
  });
}

const endedRow = ({ ref, customerRef, customerId, subscriptionId, ...row }: ImportRow): LoadedRow => ({
  subscription: ref,
  customer: customerRef,
  email: null,
  status: "ended",
  reasons: [],
  obstacle: null,
  says: null,
  customerId,
  subscriptionId,
  currency: row.currency,
  monthly: row.monthly,
  balance: 0,
  expectedTotal: row.expectedTotal,
  ownTotal: row.ownTotal,
  causes: row.causes,
  otherBoundary: false,
  leftOut: [],
});

/** The held Subscriptions that the reading of the account has not met, and that have ended there. */
async function* endedRows(ctx: Context, of: LoadAccount, seen: ReadonlySet<string>): AsyncGenerator<LoadedRow> {
  const { organizationId, account, reader } = of;
  let cursor: string | undefined;
  for (let isFull = true; isFull;) {
    const asked = { cursor, limit: PAGE, account, state: "imported", source: SOURCE } as const;
    const page: ImportRow[] = await listImports(ctx.db.read, organizationId, asked);
    isFull = page.length > PAGE;
    const rows = page.slice(0, PAGE);
    if (isFull) cursor = cursorOf(rows.at(-1)!);
    for (const row of rows) {
      if (seen.has(row.ref) || (await reader.subscription(row.ref)) !== null) continue;
      await endHere(ctx, row);
      yield endedRow(row);
    }
  }
}

/** `row`: takes each subscription, in the order of the account. `customer`: is called after each Customer. */
export type LoadReader = { row(loaded: LoadedRow): Promise<void> | void; customer(read: number): void };

/**
 * Imports all subscriptions of an account that move, each in a transaction of its own. A repetition brings the held
 * ones in line, ends those that have ended there, and goes on where an earlier run was cut off.
 * @throws ReadError
 */
export async function loadAccount(ctx: Context, of: LoadAccount, reader: LoadReader): Promise<void> {
  const sums = newAssessment();
  const seen = new Set<string>();
  let waiting: AssessedSubscription[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    for (const row of await together(batch.map((each) => loadOne(ctx, of, each)))) await reader.row(row);
  };
  for await (const customer of of.reader.customers()) {
    for (const assessed of assessCustomer(sums, customer, of.circumstances)) {
      seen.add(assessed.subscription.ref);
      waiting.push(assessed);
      if (waiting.length >= AT_ONCE) await flush();
    }
    reader.customer(sums.customers.total);
  }
  await flush();
  for await (const row of endedRows(ctx, of, seen)) await reader.row(row);
}
