import { forgetAtProviders } from "../actions/customer/forget.ts";
import { carryOnAdvance } from "../actions/sandbox/advance-clock.ts";
import { carryOnFill } from "../actions/scenario/company/carry-on.ts";
import { answerRequests, keyOf } from "../actions/portal-requests.ts";
import { inBatches, type Swept } from "../actions/batch.ts";
import { isCopy, watchTimeline } from "../actions/installation.ts";
import { expireCheckout } from "../actions/checkout/expire.ts";
import { sweepCustomers } from "../actions/due.ts";
import { pollNotices } from "../actions/notice/poll.ts";
import { announceAlarms, lateStop } from "../actions/import/alarm.ts";
import { accountsToCheck, checkBothSides } from "../actions/import/check-both-sides.ts";
import { takeNotice } from "../actions/notice/take.ts";
import { countMetrics } from "../actions/metrics/count.ts";
import { importTransactions } from "../actions/payment/import-transactions.ts";
import { carryOutPayments } from "../actions/payment/carry-out-many.ts";
import { probePause } from "../actions/payment/probe.ts";
import { carryOutDueRefund } from "../actions/refund/carry-out.ts";
import { syncBenefit } from "../actions/catalogue/sync-benefit.ts";
import { syncProduct } from "../actions/catalogue/sync-product.ts";
import { runPriceChange } from "../actions/price-change/run.ts";
import { redeliverMore } from "../actions/webhook/redeliver.ts";
import type { Context } from "../context.ts";
import { byOrganization } from "../store/driver/batch-forms.ts";
import { acrossNodes } from "../store/distribution/across-nodes.ts";
import type { Queue } from "../store/driver/notifier.ts";
import { benefitRounds } from "../store/benefits.ts";
import { dueCheckouts } from "../store/checkouts.ts";
import { unsentAlarms } from "../store/import-cut-overs.ts";
import { dueForgetting } from "../store/provider-erasures.ts";
import { dueCounts } from "../store/metrics.ts";
import { freeClocks } from "../store/organizations.ts";
import { duePauses } from "../store/payment-pauses.ts";
import { duePayments } from "../store/payments.ts";
import { priceChangeRounds } from "../store/price-changes.ts";
import { productRounds } from "../store/products.ts";
import { duePolls } from "../store/provider-connections.ts";
import { dueNotices } from "../store/provider-notices.ts";
import { dueCards } from "../store/payment-methods.ts";
import { dueImports } from "../store/provider-transactions.ts";
import { dueRefunds } from "../store/refunds.ts";
import { freeFills } from "../store/sandbox-fills.ts";
import { typedAddresses } from "../store/sign-ins.ts";
import { dueCustomers } from "../store/subscriptions.ts";
import { openRedeliveries, skipMore, skippingEndpoints } from "../store/webhook-backlogs.ts";
import { oldEvents, oldRows } from "./forgetting.ts";

/**
 * Records that a part of an item has failed. `key` names the part. The failure is logged, and the part is not tried for
 * a while.
 */
export type Fail = (key: string, error: unknown) => void;
/**
 * One piece of due work, or several pieces that are done together. `key` is unique within the sweep. `run` answers
 * how much was done. If `run` throws, the whole item has failed.
 */
export type Item = { key: string; run(fail: Fail): Promise<number> };
/**
 * Finds the due work, oldest first. The rows themselves are the queue, so after a crash they are still due. `failed`:
 * keys that are not tried for a while. `name`: the queue that the sweep empties. A sweep with an `interval`, in
 * milliseconds, empties no queue: it runs once in each interval, and again at once after it has done something.
 * `concurrency`: the number of items that a process does at the same time; 8 by default.
 */
export type Sweep = {
  find(ctx: Context, failed?: readonly string[]): Promise<Item[]>;
  concurrency?(ctx: Context): number;
} & ({ name: Queue; interval?: never } | { name: string; interval: number });

const BATCH = 100;
/**
 * The most due rows that one statement finds: the rows that have waited longest, with the Organizations in turn. The
 * rows are cut into batches in this order.
 */
const WINDOW = 10 * BATCH;
type RowOfCustomer = { organizationId: string; customerId: string };
/**
 * Two batches at a time keep both this process and PostgreSQL busy. More batches would only wait for each other. On a
 * distributed PostgreSQL the batches of many Organizations are small.
 */
const batchesAtOnce = (ctx: Context) => (ctx.db.isDistributed() ? 8 : 2);

/** Batches of one Organization each. The Organizations take turns, in the order of their first rows. */
function batchesByOrganization<Row extends { organizationId: string }>(rows: readonly Row[]): Row[][] {
  const turns = [...byOrganization(rows).values()].flatMap((own) => [...inBatches(own, BATCH).entries()]);
  return turns.toSorted(([one], [other]) => one - other).map(([, batch]) => batch);
}

/** Due rows in batches that are done together. The key of a failed row is the id of its Customer. */
function batchesOf<Row extends RowOfCustomer>(
  ctx: Context,
  rows: readonly Row[],
  failed: readonly string[],
  run: (rows: Row[]) => Promise<Swept[]>,
): Item[] {
  const left = rows.filter(({ customerId }) => !failed.includes(customerId));
  const batches = ctx.db.isDistributed() ? batchesByOrganization(left) : inBatches(left, BATCH);
  return batches.map((batch) => ({
    key: batch[0]!.customerId,
    async run(fail) {
      const swept = await run(batch);
      for (const each of swept) if ("error" in each) fail(each.id, each.error);
      return swept.reduce((sum, each) => sum + ("done" in each ? each.done : 0), 0);
    },
  }));
}

/** The due items of Customers, done in batches. */
const customersOf = (ctx: Context, rows: readonly RowOfCustomer[], failed: readonly string[]): Item[] =>
  batchesOf(ctx, rows, failed, (due) =>
    sweepCustomers(
      ctx,
      due.map(({ organizationId, customerId: id }) => ({ organizationId, id })),
    ),
  );

/**
 * A sweep runs a long advance for this long at a time, so that the advance doesn't keep other Organizations waiting.
 */
const CLOCK_MILLISECONDS = 1_000;
/** A sweep fills a sandbox for this long at a time. */
const FILL_MILLISECONDS = 1_000;
/**
 * A sweep runs the round of an edit for a second at a time. A sweep finds only as many edits as run at the same time,
 * so payments wait about a second for the edits.
 */
const EDIT_MILLISECONDS = 1_000;
const EDITS = 8;
/** A sweep counts the events of an Organization for a second at a time. */
const COUNT_MILLISECONDS = 1_000;

/** All sweeps, in the order of rule T4. */
export const SWEEPS: readonly Sweep[] = [
  {
    name: "payments",
    concurrency: batchesAtOnce,
    async find(ctx, failed = []) {
      const isOriginal = !(await isCopy(ctx));
      if (isOriginal) await watchTimeline(ctx);
      const due = await duePayments(acrossNodes(ctx.db), WINDOW, isOriginal);
      return batchesOf(ctx, due, failed, (batch) => carryOutPayments(ctx, batch));
    },
  },
  {
    name: "refunds",
    find: async (ctx) =>
      (await dueRefunds(acrossNodes(ctx.db), BATCH, !(await isCopy(ctx)))).map(({ organizationId, id }) => ({
        key: id,
        run: async () => ((await carryOutDueRefund(ctx, organizationId, id)) ? 1 : 0),
      })),
  },
  {
    name: "subscriptions",
    concurrency: batchesAtOnce,
    find: async (ctx, failed = []) => customersOf(ctx, await dueCustomers(acrossNodes(ctx.db), WINDOW), failed),
  },
  {
    name: "cards",
    find: async (ctx, failed = []) => customersOf(ctx, await dueCards(acrossNodes(ctx.db), WINDOW), failed),
  },
  {
    name: "checkouts",
    find: async (ctx) =>
      (await dueCheckouts(acrossNodes(ctx.db), BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: () => ctx.db.tx((tx) => expireCheckout(ctx, tx, organizationId, id)),
      })),
  },
  {
    name: "products",
    find: async (ctx, failed = []) =>
      (await productRounds.due(acrossNodes(ctx.db), failed, EDITS)).map(({ organizationId, id }) => ({
        key: id,
        run: () => syncProduct(ctx, organizationId, id, EDIT_MILLISECONDS),
      })),
  },
  {
    name: "benefits",
    find: async (ctx, failed = []) =>
      (await benefitRounds.due(acrossNodes(ctx.db), failed, EDITS)).map(({ organizationId, id }) => ({
        key: id,
        run: () => syncBenefit(ctx, organizationId, id, EDIT_MILLISECONDS),
      })),
  },
  {
    name: "price-changes",
    find: async (ctx, failed = []) =>
      (await priceChangeRounds.due(acrossNodes(ctx.db), failed, EDITS)).map(({ organizationId, id }) => ({
        key: id,
        run: (fail) => runPriceChange(ctx, organizationId, id, EDIT_MILLISECONDS, fail),
      })),
  },
  {
    name: "skips",
    find: async (ctx) =>
      (await skippingEndpoints(acrossNodes(ctx.db), BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: () => ctx.db.tx((tx) => skipMore(tx, organizationId, id)),
      })),
  },
  {
    name: "redeliveries",
    find: async (ctx) =>
      (await openRedeliveries(acrossNodes(ctx.db), BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: async () => ((await redeliverMore(ctx, organizationId, id)) ? 1 : 0),
      })),
  },
  {
    name: "sign-ins",
    find: async (ctx) =>
      (await typedAddresses(acrossNodes(ctx.db), BATCH)).map((typed) => ({
        key: keyOf(typed),
        run: () => answerRequests(ctx, typed),
      })),
  },
  {
    name: "clocks",
    find: async (ctx) =>
      (await freeClocks(acrossNodes(ctx.db), BATCH)).map((id) => ({
        key: id,
        run: async () => ((await carryOnAdvance(ctx, id, CLOCK_MILLISECONDS)) ? 1 : 0),
      })),
  },
  {
    name: "fills",
    find: async (ctx) =>
      (await freeFills(acrossNodes(ctx.db), BATCH)).map((id) => ({
        key: id,
        run: async () => ((await carryOnFill(ctx, id, FILL_MILLISECONDS)) ? 1 : 0),
      })),
  },
  {
    name: "notices",
    find: async (ctx) =>
      (await dueNotices(acrossNodes(ctx.db), BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: async () => ((await takeNotice(ctx, organizationId, id)) ? 1 : 0),
      })),
  },
  {
    name: "polls",
    find: async (ctx) =>
      (await duePolls(acrossNodes(ctx.db), BATCH)).map((connection) => ({
        key: `${connection.organizationId} ${connection.provider} ${connection.providerAccount}`,
        run: () => pollNotices(ctx, connection),
      })),
  },
  {
    name: "probes",
    interval: 5_000,
    find: async (ctx) =>
      (await duePauses(acrossNodes(ctx.db), BATCH)).map((pause) => ({
        key: pause.id,
        run: () => probePause(ctx, pause),
      })),
  },
  {
    name: "import-checks",
    interval: 600_000,
    // A check reads all subscriptions of an account, so one at a time.
    concurrency: () => 1,
    find: async (ctx) =>
      (await accountsToCheck(acrossNodes(ctx.db))).map((account) => ({
        key: `${account.organizationId} ${account.account}`,
        run: async () => ((await checkBothSides(ctx, account)) ? 1 : 0),
      })),
  },
  {
    name: "import-alarms",
    interval: 60_000,
    find: async (ctx) =>
      (await unsentAlarms(acrossNodes(ctx.db), lateStop(), BATCH)).map((id) => ({
        key: id,
        run: () => announceAlarms(ctx, id),
      })),
  },
  {
    name: "provider-books",
    // A comparison reads all payments of an Organization, so one at a time.
    concurrency: () => 1,
    find: async (ctx) =>
      (await dueImports(acrossNodes(ctx.db), BATCH)).map((account) => ({
        key: `${account.organizationId} ${account.provider} ${account.providerAccount}`,
        run: async () => ((await importTransactions(ctx, account)) ? 1 : 0),
      })),
  },
  {
    name: "metrics",
    concurrency: () => 1,
    find: async (ctx) =>
      (await dueCounts(acrossNodes(ctx.db), BATCH)).map((id) => ({
        key: id,
        run: async () => (await countMetrics(ctx, id, COUNT_MILLISECONDS)).done,
      })),
  },
  {
    name: "forgotten",
    find: async (ctx) =>
      (await dueForgetting(acrossNodes(ctx.db), BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: async () => ((await forgetAtProviders(ctx, organizationId, id)) ? 1 : 0),
      })),
  },
  {
    name: "old-events",
    interval: 60_000,
    concurrency: () => 1,
    find: oldEvents,
  },
  {
    name: "forgetting",
    interval: 60_000,
    // Each batch waits for the one before it, so that deletions take one connection.
    concurrency: () => 1,
    find: async (ctx) => oldRows(ctx),
  },
];
