import type { Context } from "../../context.ts";
import type { Product } from "../../domain/model/product.ts";
import { Refusal } from "../../domain/refusal.ts";
import { changedBy } from "../../domain/team/audit.ts";
import type { CreateProductParams } from "../../resources/product.ts";
import { findProductByKey } from "../../store/products.ts";
import { ownOrigin, type Origin } from "../origin.ts";
import { note, type By } from "../team/audit.ts";
import { createProduct } from "./products.ts";

/** The Product of the other period was refused, so neither was made. */
export class OtherRefused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/** @throws Refusal `key_taken`, before the insert, whose error would not tell the two Products apart */
async function requireFreeKey(ctx: Context, organizationId: string, { key }: CreateProductParams): Promise<void> {
  const holder = key === null ? null : await findProductByKey(ctx.db.read, organizationId, key);
  if (holder)
    throw new Refusal("key_taken", {
      field: "/key",
      key: key!,
      noun: "Product",
      holder: { ...holder, deleted: false },
    });
}

/**
 * Makes a plan with two periods: two Products in one transaction, or neither. `origin` writes the entry of `params` in
 * the audit log, and `other` gets an entry of its own. Returns the Product of `params`.
 * @throws Refusal as `createProduct` does, OtherRefused
 */
export function createPlan(
  ctx: Context,
  origin: Origin<Product>,
  { params, other, by }: { params: CreateProductParams; other: CreateProductParams; by: By },
): Promise<Product> {
  const { organizationId } = origin;
  return origin.transaction(ctx, async (tx) => {
    const inside = ownOrigin<Product>(organizationId, (_, work) => work(tx));
    const makeOther = async () => {
      await requireFreeKey(ctx, organizationId, other);
      return createProduct(ctx, inside, other);
    };
    await requireFreeKey(ctx, organizationId, params);
    const { id: resourceId } = await makeOther().catch((error: unknown): never => {
      throw error instanceof Refusal ? new OtherRefused(error) : error;
    });
    // Made last, the Product of `params` is the newest one, and stands first in the list.
    const made = await createProduct(ctx, inside, params);
    note(tx, organizationId, { ...by, operation: "createProduct", resourceId, ...changedBy(other) });
    return made;
  });
}
