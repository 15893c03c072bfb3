import type { Account } from "../account/account.ts";
import { recordCheckout } from "../account/record.ts";
import { challengeEndsAt } from "./checkout.ts";
import { abandonAttempt, liveAttempt } from "../payment/attempt.ts";

/**
 * Lets a Checkout expire whose time is past, once (rule C5); one that waits for a challenge gives the challenge up (rule C). Answers how
 * many it dealt with: none where the Checkout is not due.
 */
export function expireCheckout(account: Account, id: string): number {
  account.need({ part: "checkout", id });
  const checkout = account.checkouts.get(id);
  if (!checkout || checkout.dueAt === null || checkout.dueAt > account.now) return 0;
  if (checkout.status === "open") {
    recordCheckout(account, { ...checkout, status: "expired", dueAt: null }, "checkout.expired", checkout.expiresAt);
    return 1;
  }
  const live = liveAttempt(account, checkout.id);
  recordCheckout(account, { ...checkout, dueAt: null }, null, challengeEndsAt(checkout));
  if (live) abandonAttempt(account, live, account.now);
  return 1;
}
