import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { cancelNow as decideCancelNow } from "../../domain/subscription/cancel.ts";
import type { CancelSubscriptionParams } from "../../resources/subscription.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";

/** Ends a Subscription at once and revokes its grants, without a refund (rule S). @throws Refusal 404, 409, 412 */
export async function cancelNow(
  ctx: Context,
  { organizationId, transaction }: Origin<SubscriptionView>,
  id: string,
  params: CancelSubscriptionParams,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> {
  const decide = (billing: CustomerBilling) => {
    const { externalId: externalCustomerId } = billing.customer;
    const subscription = subscriptionAtHand(billing, id, (seen) =>
      checkVersion?.({ subscription: seen, externalCustomerId }),
    );
    decideCancelNow(billing, subscription, { reason: params.cancellationReason, comment: params.cancellationComment });
    return { subscription: billing.subscriptions.get(id)!, externalCustomerId };
  };
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, { by: "subscription", organizationId, id }, decide, { deleted: true }),
  );
}
