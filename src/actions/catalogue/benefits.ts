import { basename, relative, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import type { Benefit, BenefitProperties } from "../../domain/benefit/benefit.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { CreateBenefitParams, type UpdateBenefitParams } from "../../resources/benefit.ts";
import { presentGrantedBenefit } from "../../resources/benefit-grant.ts";
import { faultsOf } from "../../resources/faults.ts";
import { benefits } from "../../store/benefits.ts";
import type { Tx } from "../../store/db.ts";
import { violated } from "../../store/failures.ts";
import { billingNow, readOrganization } from "../../store/organizations.ts";
import { countProductsWith, lockProductsWith } from "../../store/products.ts";
import { downloadsDirectory, findBelow } from "../benefit/downloads.ts";
import type { Match, Origin } from "../origin.ts";
import { recordProduct } from "./record-product.ts";
import { later } from "../work.ts";

type DownloadParams = Extract<CreateBenefitParams, { type: "download" }>["properties"];

async function filesOf(ctx: Context, organizationId: string, { files }: DownloadParams) {
  const root = downloadsDirectory(ctx, organizationId);
  return Promise.all(
    files.map(async ({ name, path }, index) => {
      const found = await findBelow(root, path);
      if (!found) {
        const message = `There is no such file; put it below downloads/${organizationId} of the data directory first.`;
        throw invalid(`/properties/files/${index}/path`, "file_missing", message);
      }
      return { name: name ?? basename(path), path: relative(root, resolve(root, path)), size: found.size };
    }),
  );
}

/** What is stored of the properties: left-out names are filled in, files looked at. @throws AppError `validation_failed`. */
async function setUp(ctx: Context, organizationId: string, params: CreateBenefitParams): Promise<BenefitProperties> {
  switch (params.type) {
    case "feature": {
      const feature = params.properties.feature ?? params.key;
      if (feature === null) throw invalid("/properties/feature", "required", "Name the feature, or give the Benefit a key.");
      return { feature, value: params.properties.value };
    }
    case "download":
      return { files: await filesOf(ctx, organizationId, params.properties) };
    case "license_key":
    case "custom":
      return params.properties;
  }
}

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

/** New properties follow the rules of a new Benefit of this type. */
async function changed(ctx: Context, benefit: Benefit, { properties }: UpdateBenefitParams): Promise<BenefitProperties> {
  if (properties === undefined) return benefit.properties;
  const { type, key, name } = benefit;
  const parsed = CreateBenefitParams.safeParse({ type, key, name, properties }, { reportInput: true });
  if (!parsed.success) throw new AppError("validation_failed", { errors: faultsOf(parsed.error, "body") });
  return setUp(ctx, benefit.organizationId, parsed.data);
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
    const next = { ...benefit, ...params, properties: await changed(ctx, benefit, params) };
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
