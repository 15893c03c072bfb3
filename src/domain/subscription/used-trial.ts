import type { Account } from "../billing/customer-billing.ts";
import type { Subscription } from "../model/subscription.ts";

/** Whether the Customer has used the trial of a group (rules C2, C4). */
export function isTrialUsed(account: Account, groupKey: string | null): boolean {
  if (groupKey === null) return false;
  account.need({ part: "trials" });
  return account.trials.get(groupKey) !== null;
}

/** Records that the Customer has used the trial of a group; each group has one trial for a Customer (rules C2, C4). */
export function useTrial(account: Account, { id, groupKey }: Subscription): void {
  if (groupKey === null) return;
  account.need({ part: "trials" });
  if (!account.trials.get(groupKey)) account.trials.put({ id: groupKey, subscriptionId: id });
}
