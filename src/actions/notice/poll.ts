import type { Context } from "../../context.ts";
import type { ConnectionKey } from "../../domain/payment/connection.ts";
import type { CardPages } from "../../payments/provider.ts";
import { refsOnFile } from "../../store/payment-methods.ts";
import { leasePoll, movePoll } from "../../store/provider-connections.ts";
import { providerAt } from "../provider.ts";
import { keepHints } from "./receive.ts";

/**
 * The interval of polling. Without inbound notices, a dispute or a failed refund is known after this time at the
 * latest.
 */
export const POLL_MILLISECONDS = 5 * 60_000;

/** The most pages of one poll. The rest of a longer list follows at the next poll. */
const MOST_PAGES = 100;

/**
 * Reads the provider's list of notices from the cursor to its end, and stores the new ones. Inbound notices that were
 * lost are found here. Each page is kept together with the cursor after it, so a process that dies loses one page at
 * most. Answers the number of new notices.
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
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const next = await provider.notices.since(organizationId, cursor, cards);
    found += await ctx.db.tx((tx) => {
      movePoll(tx, key, next.cursor);
      return keepHints(tx, organizationId, account, next.hints);
    });
    if (!next.more) break;
    cursor = next.cursor;
  }
  return found;
}
