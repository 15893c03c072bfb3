import type { PriceChange } from "../../domain/model/price-change.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { priceChanges } from "../../store/price-changes.ts";
import { countSteps, type RepricedCount } from "../../store/repriced-subscriptions.ts";

/** A round, and the numbers of its Subscriptions by status and reason. */
export type PriceChangeView = { round: PriceChange; steps: readonly RepricedCount[] };

export const viewOf = async (db: Queryable, round: PriceChange): Promise<PriceChangeView> => ({
  round,
  steps: await countSteps(db, round.organizationId, [round.id]),
});

/** The views of rounds of an Organization, in their order. */
export async function viewsOf(
  db: Queryable,
  organizationId: string,
  rounds: readonly PriceChange[],
): Promise<(PriceChangeView & { id: string })[]> {
  const steps = await countSteps(
    db,
    organizationId,
    rounds.map(({ id }) => id),
  );
  return rounds.map((round) => {
    const own = steps.filter(({ priceChangeId }) => priceChangeId === round.id);
    return { id: round.id, round, steps: own };
  });
}

/** @throws Refusal 404 */
export async function readPriceChange(db: Queryable, organizationId: string, id: string): Promise<PriceChangeView> {
  const round = await priceChanges.find(db, organizationId, id);
  if (!round) throw new Refusal("not_found");
  return viewOf(db, round);
}
