import { carryOnAdvance } from "../actions/advance-clock.ts";
import { answerRequests, keyOf } from "../actions/portal-links.ts";
import { expireCheckout, sweepCustomer } from "../actions/due.ts";
import { carryOutDuePayment } from "../actions/payment/carry-out.ts";
import { carryOutDueRefund } from "../actions/refund/carry-out.ts";
import { syncBenefit } from "../actions/sync-benefit.ts";
import { syncProduct } from "../actions/sync-product.ts";
import { redeliverMore } from "../actions/redeliver.ts";
import type { Context } from "../context.ts";
import type { Queue } from "../store/bell.ts";
import { benefitRounds } from "../store/benefits.ts";
import { dueCheckouts } from "../store/checkouts.ts";
import { forgetEmails } from "../store/emails.ts";
import { forget } from "../store/idempotency.ts";
import { forgetListeners } from "../store/listeners.ts";
import { freeClocks } from "../store/organizations.ts";
import { duePayments } from "../store/payments.ts";
import { productRounds } from "../store/products.ts";
import { forgetPortal } from "../store/portal.ts";
import { dueRefunds } from "../store/refunds.ts";
import { typedAddresses } from "../store/sign-ins.ts";
import { dueCustomers } from "../store/subscriptions.ts";
import { openRedeliveries, skipMore, skippingEndpoints } from "../store/webhook-backlogs.ts";
import { forgetDeliveries } from "../store/webhooks.ts";

/** One piece of due work: what it is about (its key among those of its sweep), and how to do it. Answers how much was done. */
export type Item = { key: string; run(): Promise<number> };
/**
 * Finds what is due by now, oldest first. The state is the queue: what a crash leaves undone is found again. `failed`: keys of what is left
 * alone for a while, for those who find so few that it would keep others waiting. `name` is the queue that it empties; a sweep with an
 * interval, in milliseconds, empties none: it comes round so often, and at once where it has done something.
 */
export type Sweep = { find(ctx: Context, failed?: readonly string[]): Promise<Item[]> } & (
  | { name: Queue; interval?: never }
  | { name: string; interval: number }
);

const BATCH = 100;
/** A long advance is carried on in pieces, so that it doesn't keep other Organizations waiting. */
const CLOCK_MILLISECONDS = 1_000;
/** Edits are gone through a second at a time, and as many of them as a worker has hands: payments wait no longer for a round. */
const EDIT_MILLISECONDS = 1_000;
const EDITS = 8;

/**
 * Stored answers of more than a day, deliveries and e-mails of more than thirty, visits of the portal that are over: a batch of each.
 * Listeners that nobody came back to.
 */
async function forgetOld(ctx: Context): Promise<number> {
  const heard = await ctx.db.tx((tx) => forgetListeners(tx));
  const answers = await ctx.db.tx((tx) => forget(tx, BATCH * 10));
  const mailed = await ctx.db.tx((tx) => forgetEmails(tx, BATCH * 10));
  const visits = await ctx.db.tx((tx) => forgetPortal(tx, BATCH * 10));
  return heard + answers + mailed + visits + (await ctx.db.tx((tx) => forgetDeliveries(tx, BATCH * 10)));
}

/** Every sweep of the system, in the order of rule T4. */
export const SWEEPS: readonly Sweep[] = [
  {
    name: "payments",
    find: async (ctx) =>
      (await duePayments(ctx.db.read, BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: async () => ((await carryOutDuePayment(ctx, organizationId, id)) ? 1 : 0),
      })),
  },
  {
    name: "refunds",
    find: async (ctx) =>
      (await dueRefunds(ctx.db.read, BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: async () => ((await carryOutDueRefund(ctx, organizationId, id)) ? 1 : 0),
      })),
  },
  {
    name: "subscriptions",
    find: async (ctx) =>
      (await dueCustomers(ctx.db.read, BATCH)).map(({ organizationId, customerId }) => ({
        key: customerId,
        run: () => sweepCustomer(ctx, organizationId, customerId),
      })),
  },
  {
    name: "checkouts",
    find: async (ctx) =>
      (await dueCheckouts(ctx.db.read, BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: () => ctx.db.tx((tx) => expireCheckout(ctx, tx, organizationId, id)),
      })),
  },
  {
    name: "products",
    find: async (ctx, failed = []) =>
      (await productRounds.due(ctx.db.read, failed, EDITS)).map(({ organizationId, id }) => ({
        key: id,
        run: () => syncProduct(ctx, organizationId, id, EDIT_MILLISECONDS),
      })),
  },
  {
    name: "benefits",
    find: async (ctx, failed = []) =>
      (await benefitRounds.due(ctx.db.read, failed, EDITS)).map(({ organizationId, id }) => ({
        key: id,
        run: () => syncBenefit(ctx, organizationId, id, EDIT_MILLISECONDS),
      })),
  },
  {
    name: "skips",
    find: async (ctx) =>
      (await skippingEndpoints(ctx.db.read, BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: () => ctx.db.tx((tx) => skipMore(tx, organizationId, id)),
      })),
  },
  {
    name: "redeliveries",
    find: async (ctx) =>
      (await openRedeliveries(ctx.db.read, BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: async () => ((await redeliverMore(ctx, organizationId, id)) ? 1 : 0),
      })),
  },
  {
    name: "sign-ins",
    find: async (ctx) =>
      (await typedAddresses(ctx.db.read, BATCH)).map((typed) => ({
        key: keyOf(typed),
        run: () => answerRequests(ctx, typed),
      })),
  },
  {
    name: "clocks",
    find: async (ctx) =>
      (await freeClocks(ctx.db.read, BATCH)).map((id) => ({
        key: id,
        run: async () => ((await carryOnAdvance(ctx, id, CLOCK_MILLISECONDS)) ? 1 : 0),
      })),
  },
  {
    name: "forgetting",
    interval: 60_000,
    find: async (ctx) => [{ key: "forgetting", run: () => forgetOld(ctx) }],
  },
];
