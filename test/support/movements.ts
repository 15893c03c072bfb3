import { countMetrics } from "../../src/actions/metrics/count.ts";
import { sql } from "../../src/store/driver/db.ts";
import type { Story } from "./story.ts";

const movementsStatement = sql(
  "test.mrr_movements_of",
  `SELECT kind, amount FROM mrr_movements WHERE organization_id = $1 AND subscription_id = $2 AND kind IS NOT NULL
   ORDER BY sequence`,
);

/** The movements of a Subscription's MRR, for instance `new 3000`. The events up to now are counted at once. */
export async function mrrMovementsOf({ app: { ctx, organization } }: Story, id: string): Promise<string[]> {
  await countMetrics(ctx, organization.id, Infinity);
  const rows = await ctx.db.read.query<{ kind: string; amount: number }>(movementsStatement, [organization.id, id]);
  return rows.map(({ kind, amount }) => `${kind} ${amount}`);
}
