import type { Context } from "../../context.ts";
import type { Account } from "../../domain/billing/customer-billing.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import {
  partsToSettleChange,
  partsToUpdate,
  updateSubscription as update,
  type Agreed,
} from "../../domain/change/update.ts";
import type { UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { sendPayment } from "../payment/carry-out.ts";
import { paymentRequired } from "../payment/refusal.ts";
import type { SubscriptionView } from "../views.ts";
import { changeOutcome } from "./change-outcome.ts";

/** The payment attempt for a change, and the new Product. */
type ToCharge = { payment: Payment; productId: string };

/**
 * `PATCH /subscriptions/{id}`: changes the Product, schedules the cancellation, or undoes a scheduled cancellation
 * (rules S1, P). `agreed`: a person agreed to the figures of a page, and another figure is 412.
 * @throws AppError 402, 404, 409, 412, 422, 503
 */
export async function updateSubscription(
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  params: UpdateSubscriptionParams,
  checkVersion?: VersionCheck<SubscriptionView>,
  agreed: Agreed = null,
): Promise<SubscriptionView> {
  const { organizationId, requestId, idempotency } = origin;
  const begun = await origin.begin<ToCharge>(ctx, async (tx) => {
    const decide = (account: Account) => {
      const { externalId: externalCustomerId } = account.customer;
      const subscription = subscriptionAtHand(account, id, (seen) =>
        checkVersion?.({ subscription: seen, externalCustomerId }),
      );
      return { externalCustomerId, ...update(account, subscription, params, { requestId, idempotency }, agreed) };
    };
    const parts = partsToUpdate(id, params);
    const outcome = await inBilling(ctx, tx, { by: "subscription", organizationId, id }, decide, {
      deleted: true,
      parts,
    });
    if ("changed" in outcome)
      return { row: { subscription: outcome.changed, externalCustomerId: outcome.externalCustomerId } };
    if ("pending" in outcome) return { pending: { payment: outcome.pending, productId: outcome.productId } };
    return { refusal: paymentRequired(ctx, "payment_method_required", null, outcome.page) };
  });
  if ("row" in begun) return begun.row;
  if ("refusal" in begun) throw begun.refusal;
  const { payment, productId } = begun.pending;
  const settled = await sendPayment(ctx, organizationId, payment.id, partsToSettleChange(id, productId));
  return changeOutcome(ctx, settled, id);
}
