import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/benefit/benefit.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { CreateBenefitParams, UpdateBenefitParams } from "../../resources/benefit.ts";
import { presentGrantedBenefit } from "../../resources/benefit-grant.ts";
import { benefits } from "../../store/benefits.ts";
import type { Tx } from "../../store/db.ts";
import { violated } from "../../store/failures.ts";
import { billingNow, readOrganization } from "../../store/organizations.ts";
import { countProductsWith, lockProductsWith } from "../../store/products.ts";
import type { Match, Origin } from "../origin.ts";
import { recordProduct } from "./record-product.ts";
import { later } from "../work.ts";
import { changedProperties, setUp } from "./benefit-properties.ts";

/** @throws AppError `validation_failed`, `key_taken`. */
export async function createBenefit(ctx: Context, origin: Origin<Benefit>, params: CreateBenefitParams): Promise<Benefit> {
  const { organizationId } = origin;
  const create = origin.transaction(ctx, async (tx) => {
    const now = await billingNow(tx, organizationId);
    const properties = await setUp(ctx, organizationId, params);
    const times = { deletedAt: null, syncAt: null, syncCursor: null, createdAt: now, updatedAt: now };
    const benefit: Benefit = { ...params, ...times, organizationId, id: newId("bft"), properties, shownVersion: 1, version: 1 };
    benefits.insert(tx, benefit);
    return benefit;
  });
  return create.catch((error: unknown) => {
    throw violated(error) === "benefits_organization_id_key_key" ? new AppError("key_taken", { cause: error }) : error;
  });
}

/** The Benefit to be changed; a deleted one is not found. */
async function lock(tx: Tx, organizationId: string, id: string, match?: Match<Benefit>): Promise<Benefit> {
  const benefit = await benefits.lock(tx, organizationId, id);
  if (!benefit || benefit.deletedAt !== null) throw new AppError("not_found");
  match?.(benefit);
  return benefit;
}

/**
 * Changes what every grant of the Benefit shows, at once: grants keep nothing of it but a license key. Each active one tells of it soon
 * after (rule B1), unless it shows nothing of what was changed. @throws AppError `not_found`, `precondition_failed`, `validation_failed`.
 */
export async function updateBenefit(
  ctx: Context,
  origin: Origin<Benefit>,
  id: string,
  params: UpdateBenefitParams,
  match?: Match<Benefit>,
): Promise<Benefit> {
  const { organizationId } = origin;
  return origin.transaction(ctx, async (tx) => {
    const benefit = await lock(tx, organizationId, id, match);
    const next = { ...benefit, ...params, properties: await changedProperties(ctx, benefit, params) };
    if (isDeepStrictEqual(next, benefit)) return benefit;
    const times = await readOrganization(tx, organizationId);
    const version = benefit.version + 1;
    const due = isDeepStrictEqual(presentGrantedBenefit(next), presentGrantedBenefit(benefit))
      ? {}
      : { syncAt: times.realNow, syncCursor: null, shownVersion: version };
    const updated = { ...next, ...due, version, updatedAt: later(times.now, benefit.updatedAt) };
    benefits.update(tx, updated);
    return updated;
  });
}

/** Products got the Benefit while it was being locked. */
class IncludedMeanwhile extends Error {}

/**
 * Takes the Benefit out of every Product, whose Subscriptions then lose it (rule B1); one-time purchases keep theirs. Its row and its
 * key stay, for the grants that show it. @throws AppError `not_found`, `precondition_failed`.
 */
export async function deleteBenefit(ctx: Context, origin: Origin<void>, id: string, match?: Match<Benefit>): Promise<void> {
  const { organizationId } = origin;
  const remove = async (tx: Tx) => {
    // Products before the Benefit, as whoever grants it holds them.
    const included = await lockProductsWith(tx, organizationId, id);
    const benefit = await lock(tx, organizationId, id, match);
    if ((await countProductsWith(tx, organizationId, id)) > included.length) throw new IncludedMeanwhile();
    const times = await readOrganization(tx, organizationId);
    const now = later(times.now, benefit.updatedAt);
    benefits.update(tx, { ...benefit, version: benefit.version + 1, deletedAt: now, updatedAt: now });
    for (const product of included) {
      const benefitIds = product.benefitIds.filter((each) => each !== id);
      await recordProduct(tx, { ...product, benefitIds, syncAt: times.realNow, syncCursor: null }, "product.updated", now);
    }
  };
  for (;;) {
    try {
      return await origin.transaction(ctx, remove);
    } catch (error) {
      // Each time somebody has edited a Product, so this comes to an end; locking that one now would be out of order.
      if (!(error instanceof IncludedMeanwhile)) throw error;
    }
  }
}
