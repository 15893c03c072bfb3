import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { Refusal } from "../../domain/refusal.ts";
import { subscriptionAtHand } from "../../domain/subscription/requested-subscription.ts";
import {
  partsToSettleChange,
  partsToUpdate,
  updateSubscription as update,
  type Agreed,
} from "../../domain/change/update.ts";
import type { UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { changes } from "../../store/changes.ts";
import { readSubscription } from "../../store/subscriptions.ts";
import { inBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { sendPayment } from "../payment/carry-out.ts";
import { paymentRequired, changeRefusal, outcomeUnknown } from "../payment/refusal.ts";
import type { SubscriptionView } from "../views.ts";

/** The payment attempt for a change, and the new Product. */
type ToCharge = { payment: Payment; productId: string };

/**
 * `PATCH /subscriptions/{id}`: changes the Product, schedules the cancellation, or undoes a scheduled cancellation
 * (rules S1, P). `agreed`: a person agreed to the figures of a page, and another figure is 412.
 * @throws Refusal 402, 404, 409, 412, 422, 503
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
    const decide = (billing: CustomerBilling) => {
      const { externalId: externalCustomerId } = billing.customer;
      const subscription = subscriptionAtHand(billing, id, (seen) =>
        checkVersion?.({ subscription: seen, externalCustomerId }),
      );
      return { externalCustomerId, ...update(billing, subscription, params, { requestId, idempotency }, agreed) };
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

/**
 * The Subscription after a change that this payment paid for.
 * @throws Refusal 402 if the change was dropped, 503 while the outcome of its charge is unknown
 */
async function changeOutcome(ctx: Context, payment: Payment, subscriptionId: string): Promise<SubscriptionView> {
  if (payment.settledAt === null) throw outcomeUnknown();
  const { read } = ctx.db;
  const { organizationId, sourceId: id } = payment;
  const [change, shown] = await Promise.all([
    changes.find(read, organizationId, id),
    readSubscription(read, organizationId, subscriptionId),
  ]);
  if (change?.status === "dropped") throw changeRefusal(ctx, payment, change);
  if (!shown) throw new Refusal("not_found");
  const { externalCustomerId, ...subscription } = shown;
  return { subscription, externalCustomerId };
}
