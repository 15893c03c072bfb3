import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import { assessCustomer, newAssessment } from "../../domain/import/assessment.ts";
import type { ForeignPrice } from "../../domain/import/foreign.ts";
import type { ImportRow } from "../../domain/import/import.ts";
import type { ImportedTerms } from "../../domain/import/imported-subscription.ts";
import type { Chargeable, StayReason } from "../../domain/import/stay-reasons.ts";
import type { Product } from "../../domain/model/product.ts";
import type { AccountReader } from "../../payments/account-reader.ts";
import { products } from "../../store/products.ts";
import { subscriptions } from "../../store/subscriptions.ts";
import { tryToLoad, type LoadObstacle } from "./load-account.ts";
import type { LoadFrom } from "./load-subscription.ts";

/** The other side of an import, for one subscription at a time. */
export type RefreshFrom = LoadFrom & { reader: AccountReader; chargeable: Chargeable };

/**
 * A new reading of a held subscription. `reasons` and `obstacle`: why it stays; the held one is then as it was.
 * `terms`: those of the held one now; null if it stays. `row`: after the reading.
 */
export type HeldReading = {
  reasons: readonly StayReason[];
  obstacle: LoadObstacle | null;
  terms: ImportedTerms | null;
  row: ImportRow;
  readAt: Instant;
};

const isOf = (product: Product, { interval, intervalCount }: ForeignPrice): boolean =>
  product.interval === interval && product.intervalCount === intervalCount;

/**
 * Reads one held subscription again, and brings the Subscription here in line, in one transaction. Null: it has ended
 * there. Its Product stays: a price of another period needs the import with a mapping. @throws ReadError
 */
export async function refreshHeld(ctx: Context, from: RefreshFrom, row: ImportRow): Promise<HeldReading | null> {
  const { organizationId, reader, chargeable } = from;
  const readAt = instant(realNow());
  const found = await reader.subscription(row.ref);
  if (found === null) return null;
  const all = assessCustomer(newAssessment(), found.customer, { now: readAt, chargeable });
  const { customer, subscription, reasons, monthly } = all.find((each) => each.subscription.ref === row.ref)!;
  const stays = (obstacle: LoadObstacle | null): HeldReading => ({ reasons, obstacle, terms: null, row, readAt });
  if (reasons.length > 0) return stays(null);
  const held = await subscriptions.find(ctx.db.read, organizationId, row.subscriptionId!);
  const product = held && (await products.find(ctx.db.read, organizationId, held.productId));
  if (!product || !isOf(product, subscription.items[0]!.price)) return stays("price");
  const upcoming = await reader.upcoming(row.ref);
  const loaded = await tryToLoad(ctx, from, { customer, subscription, monthly, upcoming, product });
  if ("obstacle" in loaded) return stays(loaded.obstacle);
  return { reasons, obstacle: null, terms: loaded.terms, row: loaded.row, readAt };
}
