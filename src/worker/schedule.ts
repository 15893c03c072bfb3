import { advanceClock } from "../actions/advance-clock.ts";
import { dispatchEvents } from "../actions/dispatch-events.ts";
import { expireCheckout, sweepCustomer } from "../actions/run-due.ts";
import { carryOutDuePayment } from "../actions/settle-payment.ts";
import { carryOutDueRefund } from "../actions/settle-refund.ts";
import { syncProduct } from "../actions/sync-product.ts";
import type { Context } from "../context.ts";
import { dueCheckouts } from "../store/checkouts.ts";
import { forget } from "../store/idempotency.ts";
import { forgetListeners } from "../store/listeners.ts";
import { strandedClocks } from "../store/organizations.ts";
import { duePayments } from "../store/payments.ts";
import { productsToSync } from "../store/products.ts";
import { dueRefunds } from "../store/refunds.ts";
import { dueCustomers } from "../store/subscriptions.ts";
import { forgetDeliveries, undispatchedEvents } from "../store/webhooks.ts";

/** One piece of due work: what it is about (its key among those of its sweep), and how to do it. Answers how much was done. */
export type Item = { key: string; run(): Promise<number> };
/** Finds what is due by now, oldest first. The state is the queue: what a crash leaves undone is found again. */
export type Sweep = { name: string; find(ctx: Context): Promise<Item[]> };

const BATCH = 100;
/** A long advance is carried on in pieces, so that it doesn't keep other Organizations waiting. */
const CLOCK_MILLISECONDS = 1_000;

/** Stored answers of more than a day, deliveries of more than thirty: a batch of each. And listeners that nobody came back to. */
async function forgetOld(ctx: Context): Promise<number> {
  await ctx.db.tx((tx) => forgetListeners(tx));
  const answers = await ctx.db.tx((tx) => forget(tx, BATCH * 10));
  return answers + (await ctx.db.tx((tx) => forgetDeliveries(tx, BATCH * 10)));
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
    find: async (ctx) =>
      (await productsToSync(ctx.db.read, BATCH)).map(({ organizationId, id }) => ({
        key: id,
        run: async () => 1 + (await syncProduct(ctx, organizationId, id)),
      })),
  },
  {
    name: "events",
    find: async (ctx) => {
      const byOrganization = Map.groupBy(await undispatchedEvents(ctx.db.read, BATCH * 5), (event) => event.organizationId);
      return [...byOrganization].map(([organizationId, events]) => ({
        key: organizationId,
        run: async () => events.length + (await dispatchEvents(ctx, organizationId, events)),
      }));
    },
  },
  {
    name: "clocks",
    find: async (ctx) =>
      (await strandedClocks(ctx.db.read, BATCH)).map((id) => ({
        key: id,
        run: async () => 1 + (await advanceClock(ctx, id, null, CLOCK_MILLISECONDS)).done,
      })),
  },
  {
    name: "idempotency",
    find: async (ctx) => [{ key: "idempotency", run: () => forgetOld(ctx) }],
  },
];
