import type { Account } from "../account/account.ts";
import { MINUTE, type Instant } from "../calendar.ts";
import type { Subscription } from "./subscription.ts";

/** The longest time for which the amounts on a page are valid. Amounts of a proration change with every moment. */
const QUOTE_MILLISECONDS = 30 * MINUTE;

/**
 * The instant as of which a change is decided: the instant at which its page showed the change. If that instant is too
 * long ago, or the Subscription has changed since, the change is decided as of now (rule C6).
 */
export function quotedAt({ now }: Account, { updatedAt }: Subscription, shownAt: Instant | null): Instant {
  const isFresh = shownAt !== null && shownAt <= now && now - shownAt <= QUOTE_MILLISECONDS && shownAt >= updatedAt;
  return isFresh ? shownAt : now;
}
