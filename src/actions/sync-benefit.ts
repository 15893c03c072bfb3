import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import type { Benefit } from "../domain/benefit.ts";
import { presentManagedBenefitGrant } from "../resources/benefit-grant.ts";
import { activeGrantsOf, holdersOf } from "../store/benefit-grants.ts";
import { benefits, moveCursor } from "../store/benefits.ts";
import { downloadUrl } from "./links.ts";
import { recordGrant } from "./record.ts";
import { runDue } from "./run-due.ts";
import { workOn, type Work } from "./work.ts";

const BATCH = 100;

/**
 * Goes through the next batch of Customers who have an edited Benefit, each in a transaction with the cursor, so that after a crash no
 * grant is told of twice and none is left out (rule B1). Answers how many.
 */
export async function syncBenefit(ctx: Context, organizationId: string, id: string): Promise<number> {
  const seen = await benefits.find(ctx.db.read, organizationId, id);
  if (!seen || seen.syncAt === null) return 0;
  const customerIds = await holdersOf(ctx.db.read, organizationId, id, seen.syncCursor ?? "", BATCH);
  let benefit = seen;
  for (const customerId of customerIds) {
    if (!(await tellCustomer(ctx, benefit, customerId))) return 0;
    benefit = { ...benefit, syncCursor: customerId };
  }
  if (customerIds.length < BATCH) await ctx.db.tx((tx) => moveCursor(tx, benefit, null));
  return customerIds.length;
}

/** False: the Benefit was edited anew, or somebody else goes through its Customers, and this one is left to that. */
async function tellCustomer(ctx: Context, benefit: Benefit, customerId: string): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    const work = await workOn(ctx, tx, benefit.organizationId, customerId);
    // Before what is due, which holds Products: that is the order in which the deletion of a Benefit locks.
    if (!(await moveCursor(tx, benefit, customerId))) return false;
    if (work) {
      await runDue(work);
      await tellGrants(work, benefit);
    }
    return true;
  });
}

async function tellGrants(work: Work, benefit: Benefit): Promise<void> {
  const { ctx, tx, organization, customer, now } = work;
  for (const { expiresAt, ...grant } of await activeGrantsOf(tx, organization.id, customer.id, benefit.id)) {
    await recordGrant(work, grant, "benefit_grant.updated", now, (row) =>
      presentManagedBenefitGrant(row, benefit, {
        externalCustomerId: customer.externalId,
        expiresAt,
        downloadUrl: (file) => downloadUrl(ctx, organization.id, grant.id, file, realNow()),
      }),
    );
  }
}
