import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { CancelSubscriptionParams } from "../resources/subscription.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { commitNow, type Answer, type Call } from "./answer.ts";
import { endSubscription } from "./end-subscription.ts";
import { presentAnswer, requireNoChange, workOnSubscription, type Match } from "./subscription-work.ts";

/** Ends a Subscription at once: no refund by itself, grants revoked (rule S). @throws AppError 404, 409, 412 */
export async function cancelNow(ctx: Context, call: Call, id: string, params: CancelSubscriptionParams, match: Match): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const work = await workOnSubscription(ctx, tx, call.organizationId, id, match);
    const { subscription, now } = work;
    if (subscription.status === "canceled") throw new AppError("subscription_canceled");
    requireNoChange(subscription);
    const why = { reason: params.cancellationReason, comment: params.cancellationComment };
    await endSubscription(work, subscription, "ended", now, why);
    return presentAnswer((await subscriptions.find(tx, call.organizationId, id))!, work.customer.externalId);
  });
}
