import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { recordEditedGrants } from "../../domain/benefit/sync-grants.ts";
import { runDue } from "../../domain/collection/due.ts";
import { holdersOf } from "../../store/benefit-grants.ts";
import { benefitRounds, benefits } from "../../store/benefits.ts";
import { inBillingIfThere } from "../customer-billing.ts";

const BATCH = 100;

/**
 * Sends the events about an edited Benefit, one Customer after the other. Each Customer's transaction also moves the
 * cursor, so that after a crash no grant gets its event twice or not at all (rule B1). Stops after `milliseconds`, but
 * not before one Customer is done. Returns the number of Customers done, plus one if the round is finished; 0 if
 * another process runs this round.
 */
export async function syncBenefit(
  ctx: Context,
  organizationId: string,
  id: string,
  milliseconds: number,
): Promise<number> {
  const deadline = performance.now() + milliseconds;
  const seen = await benefits.find(ctx.db.read, organizationId, id);
  if (!seen || seen.syncAt === null) return 0;
  let benefit = seen;
  for (let done = 0; ;) {
    const customerIds = await holdersOf(ctx.db.read, benefit, BATCH);
    for (const customerId of customerIds) {
      if (done > 0 && performance.now() > deadline) return done;
      if (!(await syncCustomer(ctx, benefit, customerId))) return done;
      benefit = { ...benefit, syncCursor: customerId };
      done += 1;
    }
    if (customerIds.length === BATCH) continue;
    const ended = await ctx.db.tx((tx) => benefitRounds.move(tx, benefit, null));
    return ended ? done + 1 : done;
  }
}

/**
 * Returns false if the Benefit was edited again, or if another process moved the cursor. In both cases the other round
 * serves the Customer.
 */
async function syncCustomer(ctx: Context, benefit: Benefit, id: string): Promise<boolean> {
  return ctx.db
    .tx(async (tx) => {
      // Due items lock Products, and Products are locked before Benefits everywhere.
      const syncGrants = (billing: CustomerBilling) => {
        runDue(billing);
        recordEditedGrants(billing, benefit);
      };
      await inBillingIfThere(ctx, tx, { organizationId: benefit.organizationId, id }, syncGrants);
      if (await benefitRounds.move(tx, benefit, id)) return true;
      throw new MovedMeanwhile();
    })
    .catch((error: unknown) => {
      if (error instanceof MovedMeanwhile) return false;
      throw error;
    });
}

/** Undoes a transaction because another process moved the cursor meanwhile. */
class MovedMeanwhile extends Error {}
