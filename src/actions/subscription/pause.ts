import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Pause, Subscription } from "../../domain/model/subscription.ts";
import { pauseSubscription as pause, resume } from "../../domain/subscription/pause.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";

type Decide = (billing: CustomerBilling, subscription: Subscription) => Subscription;

/** Carries out a decision about one Subscription under its Customer's lock. */
function decided(
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

/** `POST /subscriptions/{id}/pause` (rules S8a, S8b). @throws Refusal 404, 409, 412, 422 */
export const pauseSubscription = (
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  asked: Pause,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> =>
  decided(ctx, origin, id, (billing, subscription) => pause(billing, subscription, asked), checkVersion);

/** `POST /subscriptions/{id}/resume` (rules S8a, S8g). The worker makes the charge. @throws Refusal 404, 409, 412 */
export const resumeSubscription = (
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> => decided(ctx, origin, id, resume, checkVersion);
