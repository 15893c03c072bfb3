import type { Context } from "../../context.ts";
import type { PriceChange } from "../../domain/model/price-change.ts";
import type { Product } from "../../domain/model/product.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import type { CreatePriceChangeParams } from "../../resources/price-change.ts";
import { readOrganization } from "../../store/organizations.ts";
import { countRepriced, findUnfinished, priceChanges } from "../../store/price-changes.ts";
import { products } from "../../store/products.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { termsOf } from "./terms.ts";
import type { PriceChangeView } from "./view.ts";

/**
 * Begins a round that brings the present prices of a Product to present Subscriptions (rule N1). The worker
 * carries the round out. The Product's lock keeps a second round from beginning beside it. `checkVersion` checks the
 * Product against the version that the seller has seen.
 * @throws Refusal 404, 409 `price_change_unfinished`, 422, and the errors of `checkVersion`
 */
export function createPriceChange(
  ctx: Context,
  { organizationId, transaction }: Origin<PriceChangeView>,
  productId: string,
  params: CreatePriceChangeParams,
  checkVersion?: VersionCheck<Product>,
): Promise<PriceChangeView> {
  return transaction(ctx, async (tx) => {
    const product = await products.lock(tx, organizationId, productId);
    if (product) checkVersion?.(product);
    const terms = termsOf(product, params);
    const unfinished = await findUnfinished(tx, organizationId, productId);
    if (unfinished !== null) throw new Refusal("price_change_unfinished", { priceChangeId: unfinished });
    const { now, realNow } = await readOrganization(tx, organizationId);
    const round: PriceChange = {
      organizationId,
      id: newId("pch"),
      ...terms,
      status: "running",
      found: await countRepriced(tx, organizationId, terms),
      syncAt: realNow,
      syncCursor: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    priceChanges.insert(tx, round);
    return { round, steps: [] };
  });
}
