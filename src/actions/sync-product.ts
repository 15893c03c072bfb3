import type { Context } from "../context.ts";
import type { Product } from "../domain/product.ts";
import { purchasesOf } from "../store/invoice-lines.ts";
import { productRounds, products } from "../store/products.ts";
import { tookGrants } from "../store/refunds.ts";
import { liveOfProduct, subscriptions } from "../store/subscriptions.ts";
import { runDue } from "./run-due.ts";
import { syncPurchaseGrants, syncSubscriptionGrants } from "./sync-grants.ts";
import { workOn, type Work } from "./work.ts";

/** The cursor is moved after so many: in none of their transactions, which share the Product with those who buy it. */
const BATCH = 10;

/**
 * Goes through a Product's sources after its benefits were edited (rule B1), for so many milliseconds, but at least a batch. Answers how
 * many, and one more for the end of it: 0 where somebody else is at it.
 */
export async function syncProduct(ctx: Context, organizationId: string, id: string, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds;
  const seen = await products.find(ctx.db.read, organizationId, id);
  if (!seen || seen.syncAt === null) return 0;
  let product = seen;
  for (let done = 0; ;) {
    const sources = await sourcesOf(ctx, product);
    for (const source of sources) await syncSource(ctx, product, source);
    const cursor = sources.length < BATCH ? null : sources.at(-1)!.id;
    if (!(await ctx.db.tx((tx) => productRounds.move(tx, product, cursor)))) return done;
    done += sources.length;
    if (cursor === null) return done + 1;
    if (performance.now() > deadline) return done;
    product = { ...product, syncCursor: cursor };
  }
}

async function sourcesOf(ctx: Context, product: Product): Promise<{ id: string; customerId: string }[]> {
  const { organizationId, id, syncCursor } = product;
  if (product.interval !== null) return liveOfProduct(ctx.db.read, organizationId, id, syncCursor ?? "", BATCH);
  const purchases = await purchasesOf(ctx.db.read, organizationId, id, syncCursor ?? "", BATCH);
  return purchases.map(({ invoiceId, customerId }) => ({ id: invoiceId, customerId }));
}

async function syncSource(ctx: Context, product: Product, source: { id: string; customerId: string }): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const work = await workOn(ctx, tx, product.organizationId, source.customerId);
    if (!work) return;
    await runDue(work);
    if (product.interval === null) return syncPurchase(work, product, source.id);
    const subscription = await subscriptions.find(tx, product.organizationId, source.id);
    if (subscription && subscription.status !== "canceled") await syncSubscriptionGrants(work, subscription, "benefits_edited", work.now);
  });
}

/** What a refund took stays taken (rule I3). */
async function syncPurchase(work: Work, product: Product, invoiceId: string): Promise<void> {
  if (await tookGrants(work.tx, product.organizationId, invoiceId)) return;
  await syncPurchaseGrants(work, invoiceId, product.id, "benefits_edited", work.now);
}
