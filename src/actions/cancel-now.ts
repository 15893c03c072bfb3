import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { CancelSubscriptionParams } from "../resources/subscription.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { endNow } from "./end-subscription.ts";
import type { Bill } from "./issue-invoice.ts";
import type { Match, Origin, ShownSubscription } from "./origin.ts";
import { requireNoChange, workOnSubscription, type SubscriptionWork } from "./subscription-work.ts";

/** Ends a Subscription at once: no refund by itself, grants revoked (rule S). @throws AppError 404, 409, 412 */
export async function cancelNow(
  ctx: Context,
  origin: Origin<ShownSubscription>,
  id: string,
  params: CancelSubscriptionParams,
  match?: Match<ShownSubscription>,
): Promise<ShownSubscription> {
  return origin.transaction(ctx, async (tx) => {
    const work = await workOnSubscription(ctx, tx, origin.organizationId, id, match);
    await carryOutCancelNow(work, params);
    const subscription = (await subscriptions.find(tx, origin.organizationId, id))!;
    return { subscription, externalCustomerId: work.customer.externalId };
  });
}

/** The last invoice that `cancel-now` makes, as `endNow` answers it. @throws AppError 409 */
export async function carryOutCancelNow(work: SubscriptionWork, params: CancelSubscriptionParams): Promise<Bill | null> {
  if (work.subscription.status === "canceled") throw new AppError("subscription_canceled");
  requireNoChange(work.subscription);
  return endNow(work, work.subscription, { reason: params.cancellationReason, comment: params.cancellationComment });
}
