import type { Context } from "../../context.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Change } from "../../domain/subscription/frozen-plan.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import { subscriptionAtHand } from "../../domain/subscription/at-hand.ts";
import { changeCancellation } from "../../domain/subscription/cancel.ts";
import { changeProduct, type ChangeOutcome } from "../../domain/subscription/change.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";
import type { UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { inAccount } from "../account.ts";
import type { Match, Origin } from "../origin.ts";
import type { ShownSubscription } from "../shown.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { paymentRequired } from "../payment/refusal.ts";
import { changeOutcome } from "./change-outcome.ts";

/**
 * `PATCH /subscriptions/{id}`: changes the Product, schedules the cancellation or undoes it (rules S1, P).
 * @throws AppError 402, 404, 409, 412, 422, 503
 */
export async function updateSubscription(
  ctx: Context,
  origin: Origin<ShownSubscription>,
  id: string,
  params: UpdateSubscriptionParams,
  match?: Match<ShownSubscription>,
): Promise<ShownSubscription> {
  const { organizationId, requestId, idempotency } = origin;
  const begun = await origin.begin<Payment>(ctx, async (tx) => {
    const decide = (account: Account) => {
      const { externalId: externalCustomerId } = account.customer;
      const subscription = subscriptionAtHand(account, id, match && ((seen) => match({ subscription: seen, externalCustomerId })));
      return { externalCustomerId, ...update(account, subscription, params, { requestId, idempotency }) };
    };
    const outcome = await inAccount(ctx, tx, { by: "subscription", organizationId, id }, decide, { deleted: true });
    if ("changed" in outcome) return { row: { subscription: outcome.changed, externalCustomerId: outcome.externalCustomerId } };
    if ("pending" in outcome) return { pending: outcome.pending };
    return { refusal: paymentRequired(ctx, "payment_method_required", null, outcome.page) };
  });
  if ("row" in begun) return begun.row;
  if ("refusal" in begun) throw begun.refusal;
  await carryOutPayment(ctx, organizationId, begun.pending.id);
  return changeOutcome(ctx, organizationId, begun.pending.sourceId);
}

function update(
  account: Account,
  subscription: Subscription,
  params: UpdateSubscriptionParams,
  from: Pick<Change, "requestId" | "idempotency">,
): ChangeOutcome {
  if (params.productId !== undefined || params.productKey !== undefined) return changeProduct(account, subscription, params, from);
  const why = { reason: params.cancellationReason, comment: params.cancellationComment };
  return { changed: changeCancellation(account, subscription, params.cancelAtPeriodEnd === true, why) };
}
