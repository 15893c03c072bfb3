import type { Context } from "../../context.ts";
import { later } from "../../domain/calendar.ts";
import type { PriceChange, PriceChangeStatus } from "../../domain/model/price-change.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Tx } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { findUnfinished, priceChanges } from "../../store/price-changes.ts";
import { products } from "../../store/products.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { viewOf, type PriceChangeView } from "./view.ts";

/** A request to a round: the statuses that it changes, and the status afterwards (rule N8). */
type Step = { from: readonly PriceChangeStatus[]; to: PriceChangeStatus; isDone: readonly PriceChangeStatus[] };

const STEPS = {
  pause: { from: ["running"], to: "paused", isDone: ["paused"] },
  resume: { from: ["paused"], to: "running", isDone: ["running"] },
  stop: { from: ["running", "paused"], to: "stopped", isDone: ["stopped"] },
  withdraw: {
    from: ["running", "paused", "stopped", "completed"],
    to: "withdrawing",
    isDone: ["withdrawing", "withdrawn"],
  },
} as const satisfies Record<string, Step>;
export type PriceChangeStep = keyof typeof STEPS;

/** A Product has one unfinished round (rule N1). */
async function requireOnlyRound(tx: Tx, { organizationId, id, productId }: PriceChange): Promise<void> {
  const unfinished = await findUnfinished(tx, organizationId, productId);
  if (unfinished !== null && unfinished !== id)
    throw new Refusal("price_change_unfinished", { priceChangeId: unfinished });
}

/**
 * Pauses, resumes or stops a round, or takes its waiting prices back (rule N8). A repeated request changes no row.
 * @throws Refusal 404, 409 `price_change_ended`, `price_change_unfinished`, 412
 */
export function controlPriceChange(
  ctx: Context,
  { organizationId, transaction }: Origin<PriceChangeView>,
  id: string,
  asked: PriceChangeStep,
  checkVersion?: VersionCheck<PriceChange>,
): Promise<PriceChangeView> {
  const { from, to, isDone }: Step = STEPS[asked];
  return transaction(ctx, async (tx) => {
    const seen = await priceChanges.find(tx, organizationId, id);
    if (!seen) throw new Refusal("not_found");
    // As at the begin of a round: the Product's lock keeps a second round from beginning meanwhile.
    await products.lock(tx, organizationId, seen.productId);
    const round = (await priceChanges.lock(tx, organizationId, id))!;
    checkVersion?.(round);
    if (isDone.includes(round.status)) return viewOf(tx, round);
    if (!from.includes(round.status)) throw new Refusal("price_change_ended");
    if (to === "withdrawing") await requireOnlyRound(tx, round);
    const { now, realNow } = await readOrganization(tx, organizationId);
    const works = to === "running" || to === "withdrawing";
    const next: PriceChange = {
      ...round,
      status: to,
      syncAt: works ? realNow : null,
      // A round goes on where it was. A withdrawal begins at the first Subscription.
      syncCursor: to === "withdrawing" ? null : round.syncCursor,
      version: round.version + 1,
      updatedAt: later(now, round.updatedAt),
    };
    priceChanges.update(tx, next);
    return viewOf(tx, next);
  });
}
