import type { Context } from "../context.ts";
import type { Payment, PaymentMethod } from "../domain/payment.ts";
import { NO_CANCELLATION, planCancellation, type Subscription } from "../domain/subscription.ts";
import { AppError } from "../errors.ts";
import type { UpdateSubscriptionParams } from "../resources/subscription.ts";
import type { Change, FrozenPlan } from "../domain/frozen-plan.ts";
import { changes } from "../store/changes.ts";
import { commit, type Answer, type Call } from "./answer.ts";
import { applyChange } from "./apply-change.ts";
import { openFinishingPage } from "./change-checkout.ts";
import { cardOf, recordAttempt } from "./collect-invoice.ts";
import { decideChange, freezePlan, newIntent } from "./decide-change.ts";
import { recordSubscription } from "./record.ts";
import { changeAnswer } from "./settle-change.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { paymentRequired, presentAnswer, refusalAnswer, requireNoChange, workOnSubscription } from "./subscription-work.ts";
import type { Match, SubscriptionWork } from "./subscription-work.ts";
import { providerOf } from "./work.ts";

/** `PATCH /subscriptions/{id}`: changes the Product, schedules the cancellation or undoes it (rules S1, P). */
export async function updateSubscription(
  ctx: Context,
  call: Call,
  id: string,
  params: UpdateSubscriptionParams,
  match: Match,
): Promise<Answer> {
  const result = await commit<Payment>(ctx, call, async (tx) => {
    const work = await workOnSubscription(ctx, tx, call.organizationId, id, match);
    if (params.productId !== undefined || params.productKey !== undefined) {
      return changeProduct(work, call, params);
    }
    if (work.subscription.status === "canceled") throw new AppError("subscription_canceled");
    requireNoChange(work.subscription);
    const next = params.cancelAtPeriodEnd ? await scheduleCancellation(work, params) : await undoCancellation(work);
    return presentAnswer(next, work.customer.externalId);
  });
  if (!("pending" in result)) return result;
  await carryOutPayment(ctx, call.organizationId, result.pending.id);
  return changeAnswer(ctx, call, result.pending.sourceId);
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

async function changeProduct(work: SubscriptionWork, call: Call, params: UpdateSubscriptionParams): Promise<Answer | { pending: Payment }> {
  const { subscription, now } = work;
  const decided = await decideChange(work, params);
  const plan = await freezePlan(work, decided);
  if (!plan) return presentAnswer(subscription, work.customer.externalId);
  if (decided.cardMissing) return refuseWithPage(work, call, plan);
  if (plan.totals.amountDue === 0) {
    const applied = await applyChange(work, subscription, plan, null, now);
    return presentAnswer(applied.subscription, work.customer.externalId);
  }
  const method = await cardOf(work, subscription);
  if (!method) return refuseWithPage(work, call, plan);
  const intent = newIntent(work, plan, { checkoutId: null, requestId: call.requestId, idempotency: call.idempotency });
  return { pending: await recordIntent(work, intent, method) };
}

/** 402, with the page on which the buyer gives a card and finishes this very change. */
async function refuseWithPage(work: SubscriptionWork, call: Call, plan: FrozenPlan): Promise<Answer> {
  if (!providerOf(work.ctx, work.organization)) throw new AppError("payment_provider_missing");
  const page = await openFinishingPage(work, work.subscription, plan);
  return refusalAnswer(work.ctx, paymentRequired(work.ctx, "payment_method_required", null, page), call.requestId);
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
