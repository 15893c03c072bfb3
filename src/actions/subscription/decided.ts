import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";

type Decide = (billing: CustomerBilling, subscription: Subscription) => Subscription;

/** Carries out a decision about one Subscription under its Customer's lock. */
export function decided(
  ctx: Context,
  { organizationId, transaction }: Origin<SubscriptionView>,
  id: string,
  decide: Decide,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> {
  const inLock = (billing: CustomerBilling) => {
    const { externalId: externalCustomerId } = billing.customer;
    const subscription = subscriptionAtHand(billing, id, (seen) =>
      checkVersion?.({ subscription: seen, externalCustomerId }),
    );
    return { subscription: decide(billing, subscription), externalCustomerId };
  };
  return transaction(ctx, (tx) =>
    inBilling(ctx, tx, { by: "subscription", organizationId, id }, inLock, { deleted: true }),
  );
}
