import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { later } from "../../domain/calendar.ts";
import { codeKey, newDiscount, type Discount } from "../../domain/model/discount.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CreateDiscountParams, UpdateDiscountParams } from "../../resources/discount.ts";
import { discounts, findDiscountByCode } from "../../store/discounts.ts";
import { billingNow } from "../../store/organizations.ts";
import { products } from "../../store/products.ts";
import { lockUndeleted } from "../lock.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { refuseTaken } from "./key-conflict.ts";

/** Two Discounts never have the same code, unless one of them is deleted. */
function refuseTakenCode(ctx: Context, organizationId: string, code: string, error: unknown): Promise<never> {
  return refuseTaken(error, {
    index: "discounts_code",
    value: code,
    noun: "Discount",
    findHolder: () => findDiscountByCode(ctx.db.read, organizationId, code),
  });
}

/** @throws Refusal `validation_failed`, `code_taken` */
export async function createDiscount(
  ctx: Context,
  origin: Origin<Discount>,
  params: CreateDiscountParams,
): Promise<Discount> {
  const create = origin.transaction(ctx, async (tx) => {
    const { organizationId } = origin;
    for (const [index, id] of (params.productIds ?? []).entries()) {
      const product = await products.find(tx, organizationId, id);
      if (!product) throw new Refusal("unknown_product", { field: `/productIds/${index}` });
    }
    const discount = newDiscount(organizationId, params, await billingNow(tx, organizationId));
    discounts.insert(tx, discount);
    return discount;
  });
  return create.catch((error: unknown) => refuseTakenCode(ctx, origin.organizationId, params.code, error));
}

/**
 * Changes the terms for new uses of a Discount. Subscriptions that have the Discount already keep its earlier terms.
 * @throws Refusal `precondition_failed`, `code_taken`, `validation_failed`
 */
export async function updateDiscount(
  ctx: Context,
  origin: Origin<Discount>,
  id: string,
  params: UpdateDiscountParams,
  checkVersion?: VersionCheck<Discount>,
): Promise<Discount> {
  const update = origin.transaction(ctx, async (tx) => {
    const discount = await lockUndeleted(tx, discounts, origin.organizationId, id, checkVersion);
    const next = { ...discount, ...params, codeKey: codeKey(params.code ?? discount.code) };
    if (next.startsAt !== null && next.endsAt !== null && next.startsAt >= next.endsAt)
      throw new Refusal("discount_ends_before_start", { field: "/endsAt" });
    if (isDeepStrictEqual(next, discount)) return discount;
    const now = later(await billingNow(tx, origin.organizationId), discount.updatedAt);
    const updated = { ...next, version: discount.version + 1, updatedAt: now };
    discounts.update(tx, updated);
    return updated;
  });
  return update.catch((error: unknown) => refuseTakenCode(ctx, origin.organizationId, params.code ?? "", error));
}

/**
 * Deletes a Discount: no Checkout can use the Discount's code any more, and another Discount may have that code.
 * Subscriptions keep the Discount.
 */
export async function deleteDiscount(
  ctx: Context,
  origin: Origin<void>,
  id: string,
  checkVersion?: VersionCheck<Discount>,
): Promise<void> {
  return origin.transaction(ctx, async (tx) => {
    const discount = await lockUndeleted(tx, discounts, origin.organizationId, id, checkVersion);
    const now = later(await billingNow(tx, origin.organizationId), discount.updatedAt);
    discounts.update(tx, { ...discount, deletedAt: now, version: discount.version + 1, updatedAt: now });
  });
}
