import { realNow } from "../clock.ts";
import type { Context } from "../context.ts";
import type { Benefit } from "../domain/benefit.ts";
import { presentManagedBenefitGrant } from "../resources/benefit-grant.ts";
import { holdersOf, staleGrantsOf } from "../store/benefit-grants.ts";
import { benefitRounds, benefits } from "../store/benefits.ts";
import { downloadUrl } from "./links.ts";
import { recordGrant } from "./record.ts";
import { runDue } from "./run-due.ts";
import { workOn, type Work } from "./work.ts";

const BATCH = 100;

/**
 * Goes through the Customers who have an edited Benefit, each in a transaction with the cursor, so that after a crash no grant is told of
 * twice and none is left out (rule B1); for so many milliseconds, but at least one. Answers how many, and one more for the end of it: 0
 * where somebody else is at it.
 */
export async function syncBenefit(ctx: Context, organizationId: string, id: string, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds;
  const seen = await benefits.find(ctx.db.read, organizationId, id);
  if (!seen || seen.syncAt === null) return 0;
  let benefit = seen;
  for (let done = 0; ;) {
    const customerIds = await holdersOf(ctx.db.read, benefit, BATCH);
    for (const customerId of customerIds) {
      if (done > 0 && performance.now() > deadline) return done;
      if (!(await tellCustomer(ctx, benefit, customerId))) return done;
      benefit = { ...benefit, syncCursor: customerId };
      done += 1;
    }
    if (customerIds.length === BATCH) continue;
    const ended = await ctx.db.tx((tx) => benefitRounds.move(tx, benefit, null));
    return ended ? done + 1 : done;
  }
}

/** False: the Benefit was edited anew, or somebody else goes through its Customers, and this one is left to that. */
async function tellCustomer(ctx: Context, benefit: Benefit, customerId: string): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    const work = await workOn(ctx, tx, benefit.organizationId, customerId);
    // What is due holds Products, and these come before Benefits wherever both are locked.
    if (work) await runDue(work);
    if (!(await benefitRounds.move(tx, benefit, customerId))) return false;
    if (work) await tellGrants(work, benefit);
    return true;
  });
}

/** Who was granted it since, or has told of it for another reason, has told of what it shows now. */
async function tellGrants(work: Work, benefit: Benefit): Promise<void> {
  const { ctx, tx, organization, customer, now } = work;
  for (const { expiresAt, ...stale } of await staleGrantsOf(tx, customer.id, benefit)) {
    const grant = { ...stale, benefitVersion: benefit.version };
    await recordGrant(work, grant, "benefit_grant.updated", now, (row) =>
      presentManagedBenefitGrant(row, benefit, {
        externalCustomerId: customer.externalId,
        expiresAt,
        downloadUrl: (file) => downloadUrl(ctx, organization.id, grant.id, file, realNow()),
      }),
    );
  }
}
