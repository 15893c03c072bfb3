import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { limitsOf, pricesBelowMinimum, type Product, type Price } from "../../domain/model/product.ts";
import type { QuantityRange } from "../../domain/model/quantity.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import type { CreateProductParams, UpdateProductParams } from "../../resources/product.ts";
import { holdBenefits } from "../../store/benefits.ts";
import type { Queryable, Tx } from "../../store/driver/db.ts";
import { billingNow, readOrganization, organizations } from "../../store/organizations.ts";
import { findProductByKey, products } from "../../store/products.ts";
import { hasHeld } from "../../store/subscriptions.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { amountFault } from "../payment/unchargeable-prices.ts";
import { recordProduct } from "./record-product.ts";
import { refuseTaken } from "./key-conflict.ts";

/** The limits of a Product without a quantity in its request (rule Q1). */
const ONE_UNIT: QuantityRange = { minimum: 1, maximum: 1 };

const columnsOf = ({ minimum, maximum }: QuantityRange) => ({ quantityMinimum: minimum, quantityMaximum: maximum });

/** The group of a recurring Product that names no group (rule C4). */
const DEFAULT_GROUP = "plans";

/**
 * Locks the Benefits of a Product until the transaction ends.
 * @throws Refusal `validation_failed` for a Benefit that does not exist
 */
async function holdKnownBenefits(tx: Tx, organizationId: string, benefitIds: readonly string[]): Promise<void> {
  const known = await holdBenefits(tx, organizationId, benefitIds);
  const fields = benefitIds.flatMap((id, index) => (known.has(id) ? [] : [`/benefitIds/${index}` as const]));
  if (fields.length > 0) throw new Refusal("unknown_benefits", { fields });
}

/** The fields of a Product that decide which totals can be sold. */
type Totals = { organizationId: string; prices: readonly Price[]; limits: QuantityRange };

/** The place of the fault of a price. A request that names limits alone has the fault at its quantity. */
const faultyField = (isPriced: boolean, index: number) =>
  isPriced ? (`/prices/${index}/amount` as const) : ("/quantity/minimum" as const);

/**
 * Refuses prices that the Organization's connected provider can't charge. Without a connected provider each price is
 * taken.
 * @throws Refusal `validation_failed`
 */
async function refuseUnchargeable(ctx: Context, db: Queryable, sold: Totals, isPriced: boolean): Promise<void> {
  const { organizationId, prices, limits } = sold;
  const organization = await organizations.find(db, organizationId);
  if (!organization || organization.provider === null) return;
  const provider = ctx.payments.connectables.get(organization.provider);
  if (!provider) return;
  const refused = prices.flatMap((price, index) => {
    const found = amountFault(provider, limits, price);
    if (!found) return [];
    const { currency } = price;
    const { fault, limit } = found;
    return [{ field: faultyField(isPriced, index), fault, limit: limit === null ? null : { currency, amount: limit } }];
  });
  if (refused.length > 0) throw new Refusal("prices_not_chargeable", { prices: refused });
}

/**
 * Refuses prices whose smallest total can't be charged (rule M5a). `isPriced`: the request names the prices. Without
 * them, the quantity is at fault. @throws Refusal `validation_failed`
 */
function refuseBelowMinimum(prices: readonly Price[], limits: QuantityRange, isPriced: boolean): void {
  const quantity = limits.minimum;
  const refused = pricesBelowMinimum(prices, limits).map(({ index, currency, least }) => ({
    field: faultyField(isPriced, index),
    least: { currency, amount: least },
    quantity,
  }));
  if (refused.length > 0) throw new Refusal("prices_below_minimum", { prices: refused });
}

/** @throws Refusal `validation_failed`, `key_taken`. */
export async function createProduct(
  ctx: Context,
  origin: Origin<Product>,
  params: CreateProductParams,
): Promise<Product> {
  const { organizationId } = origin;
  const { group, interval, quantity, ...fields } = params;
  const limits = quantity ?? ONE_UNIT;
  await refuseUnchargeable(ctx, ctx.db.read, { organizationId, prices: params.prices, limits }, true);
  const create = origin.transaction(ctx, async (tx) => {
    await holdKnownBenefits(tx, organizationId, params.benefitIds);
    const now = await billingNow(tx, organizationId);
    const product: Product = {
      ...fields,
      organizationId,
      id: newId("prd"),
      interval,
      groupKey: interval === null ? null : group === undefined ? DEFAULT_GROUP : group,
      intervalCount: interval === null ? null : (params.intervalCount ?? 1),
      ...columnsOf(limits),
      archived: false,
      syncAt: null,
      syncCursor: null,
      version: 0,
      eventSequence: 0,
      createdAt: now,
      updatedAt: now,
    };
    return recordProduct(tx, product, "product.created", now, []);
  });
  return create.catch((error: unknown) =>
    refuseTaken(error, {
      index: "products_organization_id_key_key",
      value: params.key!,
      noun: "Product",
      findHolder: () => findProductByKey(ctx.db.read, organizationId, params.key!),
    }),
  );
}

/**
 * Changes the Product for new buyers; earlier sales keep their price (rule C3a). If the Product's Benefits change, the
 * Subscriptions and purchases of the Product become due (rule B1). If the Product is archived, the Subscriptions that
 * are to change to the Product become due (rule P6). An update without a change writes no row. A Product is not
 * archived while one of its Subscriptions is held for an import (rule V2).
 * @throws Refusal `not_found`, `subscription_held`, `precondition_failed`, `validation_failed`.
 */
export async function updateProduct(
  ctx: Context,
  origin: Origin<Product>,
  id: string,
  params: UpdateProductParams,
  checkVersion?: VersionCheck<Product>,
): Promise<Product> {
  const { organizationId } = origin;
  return origin.transaction(ctx, async (tx) => {
    const product = await products.lock(tx, organizationId, id);
    if (!product) throw new Refusal("not_found");
    checkVersion?.(product);
    // Benefits are locked after the Product, as when Benefits are granted or deleted.
    if (params.benefitIds) await holdKnownBenefits(tx, organizationId, params.benefitIds);
    const { quantity, ...fields } = params;
    const next = { ...product, ...fields, ...(quantity && columnsOf(quantity)) };
    if (isDeepStrictEqual(next, product)) return product;
    if (params.prices || quantity) {
      const limits = limitsOf(next);
      const isPriced = params.prices !== undefined;
      refuseBelowMinimum(next.prices, limits, isPriced);
      await refuseUnchargeable(ctx, tx, { organizationId, prices: next.prices, limits }, isPriced);
    }
    const { now, realNow } = await readOrganization(tx, organizationId);
    const isArchived = next.archived && !product.archived;
    if (isArchived && (await hasHeld(tx, organizationId, id))) throw new Refusal("subscription_held");
    const isDue = isArchived || !isDeepStrictEqual(next.benefitIds, product.benefitIds);
    const due = isDue ? { syncAt: realNow, syncCursor: null } : {};
    return recordProduct(tx, { ...next, ...due }, "product.updated", now, product.prices);
  });
}
