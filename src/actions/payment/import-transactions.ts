import type { Context } from "../../context.ts";
import { later, MINUTE, type Instant } from "../../domain/calendar.ts";
import {
  lateSpans,
  nextSpan,
  nightOf,
  orphanSpan,
  reachesPromotion,
  turnPage,
  untilNext,
} from "../../domain/payment/transaction-import.ts";
import type { ConnectionKey } from "../../domain/model/provider-connection.ts";
import type { HistoryEntry, PaymentProvider } from "../../payments/provider.ts";
import {
  storeTransactions,
  leaseImport,
  moveImport,
  postponeImport,
  type ProviderTransaction,
  type LeasedImport,
  storeComparison,
} from "../../store/provider-transactions.ts";
import { findMissing, TRANSACTION_RULES, UNKNOWN_CHARGES } from "../../store/verify/provider-transactions.ts";
import { takeSnapshot } from "../../store/verify/snapshot.ts";
import type { Snapshot } from "../../store/driver/db.ts";
import { providerAt } from "../provider.ts";
import { findAll, type Checked } from "../../store/verify/rule.ts";

const sum = (checked: readonly Checked[]) => checked.reduce((total, { count }) => total + count, 0);

/**
 * Compares the imported books of an Organization with its payments and refunds (rule I4), and stores the number of
 * differences for the Organization's notice and the metrics. Logs an error if there are more differences than before.
 * Returns the number.
 */
async function compareImported(ctx: Context, organizationId: string): Promise<number> {
  // A comparison of millions of rows takes minutes.
  const checked = await ctx.db.snapshot(
    async (tx) => findAll(await takeSnapshot(tx, organizationId), TRANSACTION_RULES),
    Infinity,
  );
  const differences = sum(checked);
  const unknownCharges = sum(checked.filter(({ rule }) => UNKNOWN_CHARGES.includes(rule)));
  const before = await ctx.db.tx((tx) => storeComparison(tx, organizationId, { differences, unknownCharges }));
  if (differences <= (before?.differences ?? 0)) return differences;
  const rules = Object.fromEntries(checked.filter(({ count }) => count > 0).map(({ rule, count }) => [rule, count]));
  ctx.log.error(
    { organizationId, differences, unknownCharges, rules },
    "the payment provider's book differs from ours, see node bin/billow.mjs verify",
  );
  return differences;
}

/** A page at the provider takes 40 s at most, and may wait for the provider's limits before. */
const LEASE = 2 * MINUTE;
/** A comparison of millions of payments takes minutes. */
const COMPARISON_LEASE = 30 * MINUTE;
/** After so many pages other work gets its turn, and a worker that is stopped can end. */
const PAGES_OF_RUN = 20;

/** Entries of strangers on the same account bear no key of ours. */
const isOurs = ({ key, chargeKey }: HistoryEntry) => key !== null || chargeKey !== null;

class LeaseLost extends Error {}

/** An import under the lease of this process, as it was last stored. */
type Reading = { progress: LeasedImport };

/** Stores entries and the next state in one transaction. The lease goes on for `milliseconds`. @throws LeaseLost */
async function storePage(
  ctx: Context,
  reading: Reading,
  changed: Partial<LeasedImport>,
  entries: readonly ProviderTransaction[],
  milliseconds: number,
): Promise<LeasedImport> {
  const next = { ...reading.progress, ...changed };
  reading.progress = await ctx.db.tx(async (tx) => {
    storeTransactions(tx, next, entries);
    const moved = await moveImport(tx, next, milliseconds);
    if (!moved) throw new LeaseLost(`another process imports the book of ${next.providerAccount}`);
    return moved;
  });
  return reading.progress;
}

/**
 * Looks for the orphans of a day, at most twenty pages, and answers whether there was a page to look at. A provider
 * that can't tell has none.
 */
async function lookForOrphans(ctx: Context, provider: PaymentProvider, reading: Reading): Promise<boolean> {
  for (let pages = 1; ; pages += 1) {
    const { progress } = reading;
    const span = orphanSpan(progress, progress.now);
    if (!span || !provider.orphans) return false;
    const { orphans, next } = await provider.orphans({ organizationId: progress.organizationId, ...span });
    const entries = orphans.map((orphan): ProviderTransaction => ({ ...orphan, kind: "orphan", chargeKey: null }));
    const looked = next === null ? { orphansUntil: span.to, orphans: null } : { orphans: { ...span, cursor: next } };
    const isLast = next === null || pages === PAGES_OF_RUN;
    await storePage(ctx, reading, looked, entries, isLast ? 0 : LEASE);
    if (isLast) return true;
  }
}

/** Plans to read the book again around payments and refunds without an entry. */
async function planLate(ctx: Context, reading: Reading): Promise<void> {
  const { organizationId } = await storePage(ctx, reading, {}, [], COMPARISON_LEASE);
  const { progress } = reading;
  const find = async (tx: Snapshot) =>
    findMissing(await takeSnapshot(tx, organizationId), progress, nightOf(progress.now));
  const missing = await ctx.db.snapshot(find, Infinity);
  const settled = missing.map(({ settledAt }) => settledAt);
  const lateUntil = settled.reduce<Instant | null>((last, at) => later(last ?? at, at), progress.lateUntil);
  await storePage(ctx, reading, { late: lateSpans(missing), lateUntil }, [], LEASE);
}

/**
 * Reads the book again around payments and refunds without an entry, at most twenty pages. The provider lists a success
 * under the instant of its beginning, which may lie in a span that was imported days before the success. Returns
 * whether all such spans have been read.
 */
async function readLate(ctx: Context, provider: PaymentProvider, reading: Reading): Promise<boolean> {
  if (reading.progress.late === null) await planLate(ctx, reading);
  for (let pages = 1; ; pages += 1) {
    const { organizationId, late } = reading.progress;
    const [span, ...others] = late ?? [];
    if (!span) return true;
    const { entries, next } = await provider.history({ organizationId, ...span });
    const left = next === null ? others : [{ ...span, cursor: next }, ...others];
    const isLast = pages === PAGES_OF_RUN;
    await storePage(ctx, reading, { late: left }, entries.filter(isOurs), isLast ? 0 : LEASE);
    if (isLast) return false;
  }
}

/**
 * Compares the books, now that the imported span reaches to the present, and plans the next night. If the book
 * shows the time before a promotion without a new difference, the charges that wait for that go on (rule D1d).
 */
async function finish(ctx: Context, provider: PaymentProvider, reading: Reading): Promise<void> {
  if (await lookForOrphans(ctx, provider, reading)) return;
  if (!(await readLate(ctx, provider, reading))) return;
  await storePage(ctx, reading, {}, [], COMPARISON_LEASE);
  const differences = await compareImported(ctx, reading.progress.organizationId);
  const { progress } = reading;
  const isReleased =
    progress.heldSince !== null && reachesPromotion(progress) && differences <= progress.heldDifferences!;
  const hold = isReleased ? { heldSince: null, heldDifferences: null } : {};
  await storePage(ctx, reading, { late: null, ...hold }, [], untilNext(progress, progress.now));
  if (!isReleased) return;
  ctx.log.info(
    { organizationId: progress.organizationId },
    "the provider's book agrees, so charges go on after the promotion",
  );
  ctx.db.notifier.wake("payments");
}

/** Reads pages of one span, each stored before the next one is read. */
async function readPages(ctx: Context, provider: PaymentProvider, reading: Reading): Promise<void> {
  for (let pages = 1; ; pages += 1) {
    const { progress } = reading;
    const span = nextSpan(progress, progress.now);
    if (!span) return finish(ctx, provider, reading);
    const { entries, next } = await provider.history({ organizationId: progress.organizationId, ...span });
    const isLast = next === null || pages === PAGES_OF_RUN;
    await storePage(ctx, reading, turnPage(progress, span, next), entries.filter(isOurs), isLast ? 0 : LEASE);
    if (isLast) return;
  }
}

/**
 * Carries on the import of a provider's book (rule I4): at most twenty pages, and at most a day of the book. Once the
 * imported span reaches to the present, the books are compared, and the import rests until the next night. A process
 * that dies loses at most one page. Returns false if the import is not due, or if another process imports.
 * @throws if the provider does not answer, or if no key of the account is stored; the import is then postponed
 */
export async function importTransactions(ctx: Context, account: ConnectionKey): Promise<boolean> {
  const progress = await ctx.db.tx((tx) => leaseImport(tx, account, LEASE));
  if (!progress) return false;
  const reading = { progress };
  try {
    const provider = await providerAt(ctx, account.organizationId, account);
    if (!provider) throw new Error(`no key of ${account.provider} ${account.providerAccount} is stored`);
    await readPages(ctx, provider, reading);
    return true;
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    await ctx.db.tx(async (tx) => postponeImport(tx, reading.progress));
    throw error;
  }
}
