import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { ChangeRefusal, ChangeTarget } from "../model/plan-change.ts";
import { isRateAtStake, isRateLowered } from "../invoice/returns.ts";
import type { Subscription } from "../model/subscription.ts";
import { requireFreeGroup } from "./group.ts";
import { Refusal } from "../refusal.ts";

/** A Subscription takes no other change while one of its changes is being paid (rule P1). */
export function requireNoChange(billing: Pick<CustomerBilling, "changes">, subscription: Subscription): void {
  if (subscription.changeId) throw changeInProgress(billing, subscription.changeId);
}

/** The refusal with the Checkout on which the buyer pays for the change; null: the card on file is being charged. */
const changeInProgress = (billing: Pick<CustomerBilling, "changes">, changeId: string | null): Refusal =>
  new Refusal("change_in_progress", { checkoutId: (changeId && billing.changes.get(changeId)?.checkoutId) ?? null });

export function refusalError(
  billing: Pick<CustomerBilling, "changes">,
  { changeId }: Subscription,
  refusal: ChangeRefusal,
): Refusal {
  return refusal === "change_in_progress" ? changeInProgress(billing, changeId) : new Refusal(refusal);
}

/**
 * Refuses a change to a group that is taken, and a change with a credit that depends on an unsettled refund or an
 * open dispute (rules C4, I3j, P). `takes`: the change credits the period in progress. A new period with `none` does
 * not.
 * @throws Refusal 409
 */
export function requirePossible(
  billing: CustomerBilling,
  subscription: Subscription,
  { groupKey }: ChangeTarget,
  { takes }: { takes: boolean },
): void {
  if (takes && isRateLowered(billing, subscription)) throw new Refusal("refund_in_progress");
  if (takes && isRateAtStake(billing, subscription)) throw new Refusal("payment_disputed");
  if (groupKey !== subscription.groupKey) requireFreeGroup(billing, groupKey);
}
