import { isDeepStrictEqual } from "node:util";
import type { Context } from "../context.ts";
import type { Product } from "../domain/product.ts";
import { AppError, type Fault } from "../errors.ts";
import { newId } from "../ids.ts";
import { presentProduct, productETag, type CreateProductParams, type UpdateProductParams } from "../resources/product.ts";
import { holdBenefits } from "../store/benefits.ts";
import { violated } from "../store/failures.ts";
import { billingNow, readOrganization } from "../store/organizations.ts";
import { products } from "../store/products.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { recordProduct } from "./record.ts";

/** The group of a recurring Product that names none (rule C4). */
const DEFAULT_GROUP = "plans";

function shown(status: number, product: Product): Answer {
  return answer(status, presentProduct(product), { ETag: productETag(product) });
}

function refuseUnknown(benefitIds: readonly string[], known: ReadonlySet<string>): void {
  const message = "There is no such Benefit.";
  const errors = benefitIds.flatMap<Fault>((id, index) =>
    known.has(id) ? [] : [{ in: "body", pointer: `/benefitIds/${index}`, code: "not_found", message }],
  );
  if (errors.length > 0) throw new AppError("validation_failed", { detail: message, errors });
}

/** @throws AppError `validation_failed`, `key_taken`. */
export async function createProduct(ctx: Context, call: Call, params: CreateProductParams): Promise<Answer> {
  const { organizationId } = call;
  const { group, interval, ...fields } = params;
  const create = commitNow(ctx, call, async (tx) => {
    refuseUnknown(params.benefitIds, await holdBenefits(tx, organizationId, params.benefitIds));
    const now = await billingNow(tx, organizationId);
    const product: Product = {
      ...fields,
      organizationId,
      id: newId("prd"),
      interval,
      groupKey: interval === null ? null : group === undefined ? DEFAULT_GROUP : group,
      intervalCount: interval === null ? null : (params.intervalCount ?? 1),
      archived: false,
      syncAt: null,
      syncCursor: null,
      version: 0,
      eventSequence: 0,
      createdAt: now,
      updatedAt: now,
    };
    return shown(201, await recordProduct(tx, product, "product.created", now));
  });
  return create.catch((error: unknown) => {
    throw violated(error) === "products_organization_id_key_key" ? new AppError("key_taken", { cause: error }) : error;
  });
}

/**
 * Changes what new buyers see; what is sold keeps its price (rule C3). Other Benefits make the sources of the Product due (rule B1).
 * With nothing changed nothing is written. @throws AppError `not_found`, `precondition_failed`, `validation_failed`.
 */
export async function updateProduct(
  ctx: Context,
  call: Call,
  id: string,
  params: UpdateProductParams,
  match: (etag: string) => void,
): Promise<Answer> {
  const { organizationId } = call;
  return commitNow(ctx, call, async (tx) => {
    const product = await products.lock(tx, organizationId, id);
    if (!product) throw new AppError("not_found");
    match(productETag(product));
    // After the Product, as whoever grants or deletes them.
    if (params.benefitIds) refuseUnknown(params.benefitIds, await holdBenefits(tx, organizationId, params.benefitIds));
    const next = { ...product, ...params };
    if (isDeepStrictEqual(next, product)) return shown(200, product);
    const { now, realNow } = await readOrganization(tx, organizationId);
    const due = isDeepStrictEqual(next.benefitIds, product.benefitIds) ? {} : { syncAt: realNow, syncCursor: null };
    return shown(200, await recordProduct(tx, { ...next, ...due }, "product.updated", now));
  });
}
