import type { Context } from "../../context.ts";
import type { ConnectionKey } from "../../domain/model/provider-connection.ts";
import type { CardPages } from "../../payments/provider.ts";
import { refsOnFile } from "../../store/payment-methods.ts";
import { leasePoll, movePoll, pollAgain } from "../../store/provider-connections.ts";
import { providerAt } from "../provider.ts";
import { storeEventRefs } from "./receive.ts";

/**
 * The interval of polling. Without inbound notices, a dispute or a failed refund is known after this time at the
 * latest.
 */
export const POLL_MILLISECONDS = 5 * 60_000;

/** After so many pages other work gets its turn. The rest of a longer list follows at once, by a poll of its own. */
const PAGES_OF_RUN = 20;

/**
 * Reads at most twenty pages of the provider's list of notices from the cursor on, and stores the new ones. Inbound
 * notices that were lost are found here. Each page is kept together with the cursor after it, so a process that dies
 * loses one page at most. Returns the number of new notices.
 */
export async function pollNotices(ctx: Context, key: ConnectionKey): Promise<number> {
  const leased = await ctx.db.tx((tx) => leasePoll(tx, key, POLL_MILLISECONDS));
  if (!leased) return 0;
  const { organizationId, provider: name, providerAccount } = key;
  const provider = await providerAt(ctx, organizationId, key);
  if (!provider?.notices) return 0;
  const account = { provider: name, providerAccount };
  const cards: CardPages = (after) => refsOnFile(ctx.db.read, organizationId, account, after);
  let { cursor } = leased;
  let found = 0;
  for (let pages = 1; ; pages += 1) {
    const next = await provider.notices.since(organizationId, cursor, cards);
    const isLast = !next.more || pages === PAGES_OF_RUN;
    found += await ctx.db.tx((tx) => {
      movePoll(tx, key, next.cursor);
      if (isLast && next.more) pollAgain(tx, key);
      return storeEventRefs(tx, organizationId, account, next.refs);
    });
    if (isLast) return found;
    cursor = next.cursor;
  }
}
