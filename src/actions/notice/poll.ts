import type { Context } from "../../context.ts";
import type { ConnectionKey } from "../../domain/payment/connection.ts";
import { leasePoll, movePoll } from "../../store/provider-connections.ts";
import { providerAt } from "../provider.ts";
import { keepHints } from "./receive.ts";

/**
 * The interval of polling. Without inbound notices, a dispute or a failed refund is known after this time at the
 * latest.
 */
export const POLL_MILLISECONDS = 5 * 60_000;

/**
 * Reads the provider's list of notices from the cursor on, and stores the new ones. Inbound notices that were lost are
 * found here. Answers the number of notices.
 */
export async function pollNotices(ctx: Context, key: ConnectionKey): Promise<number> {
  const leased = await ctx.db.tx((tx) => leasePoll(tx, key, POLL_MILLISECONDS));
  if (!leased) return 0;
  const provider = await providerAt(ctx, key.organizationId, key);
  if (!provider?.notices) return 0;
  const { hints, cursor } = await provider.notices.since(key.organizationId, leased.cursor);
  await ctx.db.tx(async (tx) => {
    await keepHints(tx, key.organizationId, { provider: key.provider, providerAccount: key.providerAccount }, hints);
    movePoll(tx, key, cursor);
  });
  return hints.length;
}
