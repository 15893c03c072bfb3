import type { Context } from "../../context.ts";
import { unsettledPayments } from "../../store/payments.ts";
import { unsettledRefunds } from "../../store/refunds.ts";
import { inBatches } from "../batch.ts";
import { carryOutAll } from "../payment/carry-out-many.ts";
import { carryOutRefund } from "../refund/carry-out.ts";

/** The most payments that are settled together. This number takes well under a second. */
const BATCH = 100;

/**
 * Settles an Organization's payments and refunds before its clock moves on (rule T4). Returns `more` if payments or
 * refunds are left after `milliseconds`, and `stuck` if a provider does not know an outcome yet.
 */
export async function settleSome(
  ctx: Context,
  organizationId: string,
  milliseconds: number,
): Promise<"all" | "more" | "stuck"> {
  const { read: db } = ctx.db;
  const until = performance.now() + milliseconds;
  let same = 0;
  for (let before = ""; same < 3;) {
    const [paying, refunding] = await Promise.all([
      unsettledPayments(db, organizationId),
      unsettledRefunds(db, organizationId),
    ]);
    if (paying.length + refunding.length === 0) return "all";
    for (const ids of inBatches(paying, BATCH)) {
      if (performance.now() > until) return "more";
      await carryOutAll(ctx, organizationId, ids);
    }
    for (const id of refunding) {
      if (performance.now() > until) return "more";
      await carryOutRefund(ctx, organizationId, id);
    }
    const now = [...paying, ...refunding].join();
    same = now === before ? same + 1 : 0;
    before = now;
  }
  return "stuck";
}
