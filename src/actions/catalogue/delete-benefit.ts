import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { later } from "../../domain/calendar.ts";
import { benefits } from "../../store/benefits.ts";
import type { Tx } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { countProductsWith, lockProductsWith } from "../../store/products.ts";
import { lockUndeleted } from "../lock.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { recordProduct } from "./record-product.ts";

/** Thrown if the Benefit was added to a Product while the Benefit was being locked. */
class IncludedMeanwhile extends Error {}

/**
 * Removes the Benefit from every Product. The Subscriptions of these Products lose the Benefit afterwards (rule B1);
 * one-time purchases keep the Benefit. The Benefit's row and its key stay, because grants show the Benefit.
 * @throws Refusal `not_found`, `precondition_failed`.
 */
export async function deleteBenefit(
  ctx: Context,
  origin: Origin<void>,
  id: string,
  checkVersion?: VersionCheck<Benefit>,
): Promise<void> {
  const { organizationId } = origin;
  const remove = async (tx: Tx) => {
    // Products are locked before the Benefit, as in a grant of the Benefit.
    const included = await lockProductsWith(tx, organizationId, id);
    const benefit = await lockUndeleted(tx, benefits, organizationId, id, checkVersion);
    if ((await countProductsWith(tx, organizationId, id)) > included.length) throw new IncludedMeanwhile();
    const times = await readOrganization(tx, organizationId);
    const now = later(times.now, benefit.updatedAt);
    benefits.update(tx, { ...benefit, version: benefit.version + 1, deletedAt: now, updatedAt: now });
    for (const product of included) {
      const benefitIds = product.benefitIds.filter((each) => each !== id);
      await recordProduct(
        tx,
        { ...product, benefitIds, syncAt: times.realNow, syncCursor: null },
        "product.updated",
        now,
      );
    }
  };
  for (;;) {
    try {
      return await origin.transaction(ctx, remove);
    } catch (error) {
      // The loop ends, because each further round needs another edit of a Product. The edited Product can't be locked
      // now: Products are locked before the Benefit.
      if (!(error instanceof IncludedMeanwhile)) throw error;
    }
  }
}
