import type { Account } from "../billing/customer-billing.ts";
import type { ChangeRefusal, ChangeTarget } from "../model/plan-change.ts";
import { isRateAtStake, isRateLowered } from "../invoice/returns.ts";
import type { Subscription } from "../model/subscription.ts";
import { AppError, RETRY_SOON } from "../../errors.ts";
import { requireFreeGroup } from "./group.ts";

/** A Subscription takes no other change while one of its changes is being paid (rule P1). */
export function requireNoChange(account: Account, subscription: Subscription): void {
  if (subscription.changeId) throw changeInProgress(account, subscription.changeId);
}

/** 409 with the Checkout on which the buyer pays for the change; null: the card on file is being charged. */
function changeInProgress(account: Account, changeId: string): AppError {
  const checkoutId = account.changes.get(changeId)?.checkoutId ?? null;
  const detail =
    checkoutId === null
      ? undefined
      : "The payment of the change is not finished. Send the buyer to `url`, to finish the payment there or to pay " +
        "with another card.";
  return new AppError("change_in_progress", {
    ...(detail === undefined ? {} : { detail }),
    headers: RETRY_SOON,
    extra: { checkoutId },
  });
}

/** The change's credit depends on a refund that is not settled yet: it is too early to decide (rules I3j, P). */
function refundInProgress(): AppError {
  return new AppError("refund_in_progress", { headers: RETRY_SOON });
}

export function refusalError(account: Account, { changeId }: Subscription, refusal: ChangeRefusal): AppError {
  const isInProgress = refusal === "change_in_progress" && changeId !== null;
  return isInProgress ? changeInProgress(account, changeId) : new AppError(refusal);
}

/**
 * Refuses a change to a group that is taken, and a change with a credit that depends on an unsettled refund or an
 * open dispute (rules C4, P). `takes`: the change credits the period in progress. A new period with `none` does not.
 * @throws AppError 409
 */
export function requirePossible(
  account: Account,
  subscription: Subscription,
  { groupKey }: ChangeTarget,
  { takes }: { takes: boolean },
): void {
  if (takes && isRateLowered(account, subscription)) throw refundInProgress();
  if (takes && isRateAtStake(account, subscription)) throw new AppError("payment_disputed");
  if (groupKey !== subscription.groupKey) requireFreeGroup(account, groupKey);
}
