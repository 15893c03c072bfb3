import { Refusal } from "../../domain/refusal.ts";
import type { Context } from "../../context.ts";
import { organizations, stopClock } from "../../store/organizations.ts";
import { ownOrigin, type Origin } from "../origin.ts";

/**
 * Stops an advance that is under way. The step that has begun is the last one, and the clock stays at the instant
 * reached (rule T5f). `origin`: runs the transaction of the stop.
 * @throws Refusal 404
 */
export async function stopAdvance(
  ctx: Context,
  organizationId: string,
  origin: Origin<void> = ownOrigin(organizationId),
): Promise<void> {
  await origin.transaction(ctx, async (tx) => {
    await stopClock(tx, organizationId);
    const organization = await organizations.find(tx, organizationId);
    if (organization?.mode !== "sandbox") throw new Refusal("not_found");
  });
}
