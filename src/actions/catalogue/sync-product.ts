import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { syncPurchase } from "../../domain/benefit/sync-grants.ts";
import { runDue } from "../../domain/collection/due.ts";
import type { Product } from "../../domain/model/product.ts";
import { followProduct } from "../../domain/subscription/follow-product.ts";
import { purchasesOf } from "../../store/invoice-lines.ts";
import { productRounds, products } from "../../store/products.ts";
import { liveOfProduct } from "../../store/subscriptions.ts";
import { inBillingIfThere } from "../customer-billing.ts";

/**
 * The cursor moves after this many sources (Subscriptions or purchases). The move is a transaction of its own, because
 * the transactions of the sources only share the Product's lock, with its buyers.
 */
const BATCH = 10;

/**
 * Updates a Product's sources (Subscriptions or purchases) after an edit of the Product's Benefits (rule B1), and the
 * Subscriptions that are to change to the Product after the Product was archived (rule P6). Stops after `milliseconds`,
 * but not before one batch is done. Returns the number of sources done, plus one if the round is finished; 0 if another
 * process runs this round.
 */
export async function syncProduct(
  ctx: Context,
  organizationId: string,
  id: string,
  milliseconds: number,
): Promise<number> {
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

async function sourcesOf(ctx: Context, product: Product): Promise<Source[]> {
  const { organizationId, id, syncCursor } = product;
  if (product.interval !== null) return liveOfProduct(ctx.db.read, organizationId, id, syncCursor ?? "", BATCH);
  const purchases = await purchasesOf(ctx.db.read, organizationId, id, syncCursor ?? "", BATCH);
  return purchases.map(({ invoiceId, customerId, quantity }) => ({ id: invoiceId, customerId, quantity }));
}

/** `quantity`: that of a purchase. A Subscription holds its own. */
type Source = { id: string; customerId: string; quantity?: number };

async function syncSource(ctx: Context, { organizationId, id, interval }: Product, source: Source): Promise<void> {
  const sync = (billing: CustomerBilling) => {
    runDue(billing);
    if (interval === null) syncPurchase(billing, { invoiceId: source.id, productId: id, quantity: source.quantity! });
    else followProduct(billing, source.id, id);
  };
  await ctx.db.tx((tx) => inBillingIfThere(ctx, tx, { organizationId, id: source.customerId }, sync));
}
