import type { Context } from "../../context.ts";
import { storeComparison } from "../../store/provider-transactions.ts";
import { TRANSACTION_RULES, UNKNOWN_CHARGES } from "../../store/verify/provider-transactions.ts";
import { findAll, type Checked } from "../../store/verify/rule.ts";
import { takeSnapshot } from "../../store/verify/snapshot.ts";

const sum = (checked: readonly Checked[]) => checked.reduce((total, { count }) => total + count, 0);

/**
 * Compares the imported books of an Organization with its payments and refunds (rule I4), and keeps the number of
 * differences for the Organization's notice and the metrics. Logs an error if there are more differences than before.
 * Returns the number.
 */
export async function compareBook(ctx: Context, organizationId: string): Promise<number> {
  // A comparison of millions of rows takes minutes.
  const checked = await ctx.db.tx(
    async (tx) => findAll(await takeSnapshot(tx, organizationId), TRANSACTION_RULES),
    Infinity,
  );
  const differences = sum(checked);
  const unknownCharges = sum(checked.filter(({ rule }) => UNKNOWN_CHARGES.includes(rule)));
  const before = await ctx.db.tx((tx) => storeComparison(tx, organizationId, { differences, unknownCharges }));
  if (differences <= (before?.differences ?? 0)) return differences;
  const rules = Object.fromEntries(checked.filter(({ count }) => count > 0).map(({ rule, count }) => [rule, count]));
  ctx.log.error(
    { organizationId, differences, unknownCharges, rules },
    "the payment provider's book differs from ours, see node bin/billow.mjs verify",
  );
  return differences;
}
