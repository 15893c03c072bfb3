import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Subscription } from "../model/subscription.ts";

/** Whether the Customer has used the trial of a group (rules C2, C4). */
export function isTrialUsed(billing: Pick<CustomerBilling, "need" | "trials">, groupKey: string | null): boolean {
  if (groupKey === null) return false;
  billing.need({ part: "trials" });
  return billing.trials.get(groupKey) !== null;
}

/** Records that the Customer has used the trial of a group; each group has one trial for a Customer (rules C2, C4). */
export function useTrial(billing: Pick<CustomerBilling, "need" | "trials">, { id, groupKey }: Subscription): void {
  if (groupKey === null) return;
  billing.need({ part: "trials" });
  if (!billing.trials.get(groupKey)) billing.trials.put({ id: groupKey, subscriptionId: id });
}
