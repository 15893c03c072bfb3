import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { CutOverReason } from "../../domain/import/cut-over.ts";
import type { ImportRow } from "../../domain/import/import.ts";
import { stayReasons } from "../../domain/import/stay-reasons.ts";
import type { Product } from "../../domain/model/product.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { AccountReader, ReadSubscription } from "../../payments/account-reader.ts";
import type { Connectable } from "../../payments/connectable-provider.ts";
import { products } from "../../store/products.ts";
import { subscriptions } from "../../store/subscriptions.ts";
import type { RunningReading } from "./cut-over-world.ts";
import { loadSubscription, type LoadSnapshot } from "./load-subscription.ts";

/** `isAccepting`: subscriptions whose next totals differ are moved, too. */
export type RefreshFrom = {
  ctx: Context;
  account: string;
  connectable: Connectable;
  reader: AccountReader;
  isAccepting: boolean;
};

/** The Product that the held Subscription has. */
async function productOf({ ctx }: RefreshFrom, { organizationId, subscriptionId }: ImportRow): Promise<Product> {
  const held = (await subscriptions.find(ctx.db.read, organizationId, subscriptionId!))!;
  return (await products.find(ctx.db.read, organizationId, held.productId))!;
}

/** The mapping of the import led from a price to a Product, so another price needs another import. */
function isOtherPrice({ snapshot }: ImportRow, { subscription }: ReadSubscription): boolean {
  const { price } = (snapshot ?? {}) as Partial<LoadSnapshot>;
  return price !== undefined && subscription.items[0]?.price.ref !== price;
}

/**
 * Reads a subscription that is imported and runs in the other system, and asks the decision again. Without a reason to
 * stay, the held Subscription here is brought in line. null: it has ended there. @throws ReadError
 */
export async function refresh(from: RefreshFrom, row: ImportRow): Promise<RunningReading | null> {
  const { ctx, account, connectable, reader, isAccepting } = from;
  const found = await reader.subscription(row.ref);
  if (found === null) return null;
  const readAt = instant(realNow());
  const circumstances = { now: readAt, chargeable: (currency: string) => connectable.amounts(currency) };
  const reasons: CutOverReason[] = stayReasons(found.customer, found.subscription, circumstances);
  if (isOtherPrice(row, found)) reasons.push("price");
  if (reasons.length > 0) return { reasons, terms: null, readAt };
  const { organizationId, monthly } = row;
  const upcoming = await reader.upcoming(row.ref);
  const loadable = { ...found, monthly, upcoming, product: await productOf(from, row) };
  const of = { organizationId, connectable, account, externalId: { metadataKey: null } };
  const loaded = await loadSubscription(ctx, of, loadable).catch((error: unknown) => {
    if (error instanceof Refusal) return { obstacle: "refused_here" as const };
    throw error;
  });
  if ("obstacle" in loaded) return { reasons: [loaded.obstacle], terms: null, readAt };
  // Another process has changed the row, so the next look begins anew.
  if (loaded.terms === null) return { reasons: ["changed"], terms: null, readAt };
  const { causes, accepted } = loaded.row;
  const isRefused = causes.length > 0 && !accepted && !isAccepting;
  return { reasons: isRefused ? ["differs"] : [], terms: loaded.terms, readAt };
}
