import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { heldOrAtHand } from "../../domain/subscription/requested-subscription.ts";
import { cancelNow as decideCancelNow } from "../../domain/subscription/cancel.ts";
import { isHeldForImport, type Subscription } from "../../domain/model/subscription.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CancelSubscriptionParams } from "../../resources/subscription.ts";
import type { Tx } from "../../store/driver/db.ts";
import { importOf, moveState } from "../../store/imports.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";

/**
 * Ends a Subscription at once and revokes its grants, without a refund (rule S). If the Subscription is held for an
 * import, the import is given up (rule V6).
 * @throws Refusal 404, 409, 412
 */
export async function cancelNow(
  ctx: Context,
  { organizationId, transaction }: Origin<SubscriptionView>,
  id: string,
  params: CancelSubscriptionParams,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> {
  const decide = (billing: CustomerBilling) => {
    const { externalId: externalCustomerId } = billing.customer;
    const subscription = heldOrAtHand(billing, id, (seen) =>
      checkVersion?.({ subscription: seen, externalCustomerId }),
    );
    decideCancelNow(billing, subscription, { reason: params.cancellationReason, comment: params.cancellationComment });
    return { subscription: billing.subscriptions.get(id)!, externalCustomerId };
  };
  return transaction(ctx, async (tx) => {
    const view = await inBilling(ctx, tx, { by: "subscription", organizationId, id }, decide, { deleted: true });
    if (isHeldForImport(view.subscription)) await giveUp(tx, view.subscription);
    return view;
  });
}

/** @throws Refusal 409 `subscription_held` while the cut-over stops the subscription in the other system */
async function giveUp(tx: Tx, { organizationId, id, endedAt }: Subscription): Promise<void> {
  const row = await importOf(tx, organizationId, id);
  const left = row && (await moveState(tx, row, "imported", "left", {}, endedAt!));
  if (!left) throw new Refusal("subscription_held");
}
