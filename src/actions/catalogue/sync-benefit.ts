import type { Context } from "../../context.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Benefit } from "../../domain/benefit/benefit.ts";
import { tellGrants } from "../../domain/benefit/edited.ts";
import { runDue } from "../../domain/due.ts";
import { holdersOf } from "../../store/benefit-grants.ts";
import { benefitRounds, benefits } from "../../store/benefits.ts";
import { inAccountIfThere } from "../account.ts";

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

/** False: the Benefit was edited anew, or another process goes through its Customers, and this one is left to that. */
async function tellCustomer(ctx: Context, benefit: Benefit, id: string): Promise<boolean> {
  return ctx.db.tx(async (tx) => {
    // Due items hold Products, and these come before Benefits wherever both are locked.
    const tell = (account: Account) => {
      runDue(account);
      tellGrants(account, benefit);
    };
    await inAccountIfThere(ctx, tx, { organizationId: benefit.organizationId, id }, tell);
    if (await benefitRounds.move(tx, benefit, id)) return true;
    throw new MovedMeanwhile();
  }).catch((error: unknown) => {
    if (error instanceof MovedMeanwhile) return false;
    throw error;
  });
}

/** Undoes a transaction whose cursor another process has moved. */
class MovedMeanwhile extends Error {}
