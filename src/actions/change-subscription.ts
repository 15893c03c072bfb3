import type { Context } from "../context.ts";
import type { Payment, PaymentMethod } from "../domain/payment.ts";
import { NO_CANCELLATION, planCancellation, type Subscription } from "../domain/subscription.ts";
import { AppError } from "../errors.ts";
import type { UpdateSubscriptionParams } from "../resources/subscription.ts";
import type { Change, FrozenPlan } from "../domain/frozen-plan.ts";
import { changes } from "../store/changes.ts";
import { applyChange } from "./apply-change.ts";
import { openFinishingPage } from "./change-checkout.ts";
import { cardOf, recordAttempt } from "./collect-invoice.ts";
import { decideChange, freezePlan, newIntent } from "./decide-change.ts";
import type { Begun, Match, Origin, ShownSubscription } from "./origin.ts";
import { recordSubscription } from "./record.ts";
import { changeOutcome } from "./settle-change.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { paymentRequired, requireNoChange, workOnSubscription, type SubscriptionWork } from "./subscription-work.ts";
import { providerOf } from "./work.ts";

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
  const begun = await origin.begin<Payment>(ctx, async (tx) => {
    const work = await workOnSubscription(ctx, tx, origin.organizationId, id, match);
    if (params.productId !== undefined || params.productKey !== undefined) {
      return changeProduct(work, origin, params);
    }
    if (work.subscription.status === "canceled") throw new AppError("subscription_canceled");
    requireNoChange(work.subscription);
    const next = params.cancelAtPeriodEnd ? await scheduleCancellation(work, params) : await undoCancellation(work);
    return changed(work, next);
  });
  if ("row" in begun) return begun.row;
  if ("refusal" in begun) throw begun.refusal;
  await carryOutPayment(ctx, origin.organizationId, begun.pending.id);
  return changeOutcome(ctx, origin.organizationId, begun.pending.sourceId);
}

function changed({ customer }: SubscriptionWork, subscription: Subscription): { row: ShownSubscription } {
  return { row: { subscription, externalCustomerId: customer.externalId } };
}

async function scheduleCancellation(work: SubscriptionWork, params: UpdateSubscriptionParams): Promise<Subscription> {
  const why = { reason: params.cancellationReason, comment: params.cancellationComment };
  const plan = planCancellation(work.subscription, why, work.now);
  if ("unchanged" in plan) return work.subscription;
  return recordSubscription(work, { ...work.subscription, ...plan.change }, plan.event, work.now);
}

async function undoCancellation(work: SubscriptionWork): Promise<Subscription> {
  if (!work.subscription.cancelAtPeriodEnd) return work.subscription;
  return recordSubscription(work, { ...work.subscription, ...NO_CANCELLATION }, "subscription.cancellation_undone", work.now);
}

/** What a request tells of itself to the settlement of its charge. */
type Asker = Pick<Origin<unknown>, "requestId" | "idempotency">;

async function changeProduct(
  work: SubscriptionWork,
  { requestId, idempotency }: Asker,
  params: UpdateSubscriptionParams,
): Promise<Begun<ShownSubscription, Payment>> {
  const { subscription, now } = work;
  const decided = await decideChange(work, params);
  const plan = await freezePlan(work, decided);
  if (!plan) return changed(work, subscription);
  if (decided.cardMissing) return refuseWithPage(work, plan);
  if (plan.totals.amountDue === 0) {
    const applied = await applyChange(work, subscription, plan, null, now);
    return changed(work, applied.subscription);
  }
  const method = await cardOf(work, subscription);
  if (!method) return refuseWithPage(work, plan);
  const intent = newIntent(work, plan, { checkoutId: null, requestId, idempotency });
  return { pending: await recordIntent(work, intent, method) };
}

/** 402, with the page on which the buyer gives a card and finishes this very change. */
async function refuseWithPage(work: SubscriptionWork, plan: FrozenPlan): Promise<{ refusal: AppError }> {
  if (!providerOf(work.ctx, work.organization)) throw new AppError("payment_provider_missing");
  const page = await openFinishingPage(work, work.subscription, plan);
  return { refusal: paymentRequired(work.ctx, "payment_method_required", null, page) };
}

/** The first transaction of a change that charges: plan, reservation and attempt, and nothing else (rules P1, D1). */
async function recordIntent(work: SubscriptionWork, intent: Change, method: PaymentMethod): Promise<Payment> {
  const { tx, subscription, now } = work;
  changes.insert(tx, intent);
  await recordSubscription(work, { ...subscription, changeId: intent.id }, null, now);
  const attempt = {
    purpose: "change",
    sourceId: intent.id,
    checkoutId: null,
    invoiceId: null,
    subscriptionId: subscription.id,
    amount: intent.plan.totals.amountDue,
    currency: subscription.currency,
  } as const;
  return recordAttempt(work, attempt, method, now, true);
}
