import type { Context } from "../context.ts";
import { planChange, type ChangePlan, type ChangeRefusal, type ChangeTarget } from "../domain/change.ts";
import type { Payment } from "../domain/payment.ts";
import { periodOf, priceIn, type Product } from "../domain/product.ts";
import { NO_CANCELLATION, planCancellation, type Subscription } from "../domain/subscription.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import type { UpdateSubscriptionParams } from "../resources/subscription.ts";
import { changes, type Change } from "../store/changes.ts";
import { waitingLines } from "../store/invoice-lines.ts";
import { openInvoicesOf } from "../store/invoices.ts";
import { products, findProductByKey } from "../store/products.ts";
import { commit, type Answer, type Call } from "./answer.ts";
import { applyChange } from "./apply-change.ts";
import { cardOf, recordAttempt } from "./collect-invoice.ts";
import { requireFreeGroup } from "./group.ts";
import { quote } from "./issue-invoice.ts";
import { recordSubscription } from "./record.ts";
import { changeAnswer } from "./settle-change.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { providerOf } from "./work.ts";
import {
  changeInProgress,
  paymentRequired,
  presentAnswer,
  refusalAnswer,
  requireNoChange,
  workOnSubscription,
  type Match,
  type SubscriptionWork,
} from "./subscription-work.ts";

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
      return changeProduct(work, call, params).catch((error: unknown) => refusalAnswer(ctx, error, call.requestId));
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

/** The Product that a body names, as a target for this Subscription; 422 at the pointer when it can't be one. */
async function findTarget(work: SubscriptionWork, params: UpdateSubscriptionParams): Promise<ChangeTarget> {
  const { tx, organization, subscription } = work;
  const { productId, productKey } = params;
  const pointer = productId === undefined ? "/productKey" : "/productId";
  const product =
    productId === undefined
      ? await findProductByKey(tx, organization.id, productKey!)
      : await products.find(tx, organization.id, productId);
  if (!product) throw invalid(pointer, "unknown_product", "No such Product exists.");
  const present = product.id === subscription.productId;
  // What is sold already stays sold: an archived present Product may be named, to clear a pending change.
  if (product.archived && !present) throw invalid(pointer, "product_archived", "The Product is archived.");
  return targetOf(product, subscription, pointer);
}

function targetOf(product: Product, subscription: Subscription, pointer: string): ChangeTarget {
  const period = periodOf(product);
  if (!period) throw invalid(pointer, "product_not_recurring", "The Product is sold once; a Subscription needs a recurring one.");
  const price = product.archived ? subscription.amount : priceIn(product, subscription.currency);
  if (price === null) throw invalid(pointer, "currency_missing", `The Product has no price in ${subscription.currency}.`);
  return { productId: product.id, productName: product.name, groupKey: product.groupKey, amount: price, ...period };
}

export type DecidedChange = { plan: Exclude<ChangePlan, { refusal: unknown }>; target: ChangeTarget };

/** Loads what a change needs to know and decides; nothing is written, so a preview is the same (rule P8). @throws AppError 402, 409, 422 */
export async function decideChange(work: SubscriptionWork, params: UpdateSubscriptionParams): Promise<DecidedChange> {
  const { tx, organization, subscription, now } = work;
  const target = await findTarget(work, params);
  const present = await products.find(tx, organization.id, subscription.productId);
  const plan = planChange(subscription, {
    target,
    productName: present?.name ?? "",
    behavior: params.prorationBehavior ?? organization.defaultProration,
    undo: params.cancelAtPeriodEnd === false,
    hasOpenInvoice: (await openInvoicesOf(tx, organization.id, subscription.id)).length > 0,
    hasCard: (await cardOf(work, subscription)) !== null,
    timeZone: organization.timeZone,
    now,
  });
  if ("refusal" in plan) throw refusalError(work, plan.refusal);
  if (!("unchanged" in plan) && target.groupKey !== subscription.groupKey) await requireFreeGroup(work, target.groupKey);
  return { plan, target };
}

function refusalError({ ctx, organization }: SubscriptionWork, refusal: ChangeRefusal): AppError {
  if (refusal === "change_in_progress") return changeInProgress();
  if (refusal !== "payment_method_required") return new AppError(refusal);
  return providerOf(ctx, organization) ? paymentRequired(refusal) : new AppError("payment_provider_missing");
}

async function changeProduct(work: SubscriptionWork, call: Call, params: UpdateSubscriptionParams): Promise<Answer | { pending: Payment }> {
  const { subscription, now } = work;
  const { plan, target } = await decideChange(work, params);
  if ("unchanged" in plan) return presentAnswer(subscription, work.customer.externalId);
  const waiting = plan.bill === "now" ? await waitingLines(work.tx, work.organization.id, subscription.id) : [];
  const totals = await quote(work, subscription.currency, [...waiting, ...plan.lines]);
  const change = { set: plan.set, lines: plan.lines, restarted: plan.restarted, bill: plan.bill, totals, currency: subscription.currency };
  if (plan.bill !== "now" || totals.amountDue === 0)
    return presentAnswer(await applyChange(work, subscription, change, null, now), work.customer.externalId);
  const method = await cardOf(work, subscription);
  if (!method) throw paymentRequired("payment_method_required");
  const intent: Change = {
    organizationId: work.organization.id,
    id: newId("chg"),
    subscriptionId: subscription.id,
    customerId: work.customer.id,
    status: "pending",
    plan: change,
    groupKey: target.groupKey === subscription.groupKey ? null : target.groupKey,
    decidedAt: now,
    settledAt: null,
    requestId: call.requestId,
    idempotency: call.idempotency && { ...call.idempotency },
    createdAt: now,
  };
  return { pending: await recordIntent(work, intent, method) };
}

/** The first transaction of a change that charges: plan, reservation and attempt, and nothing else (rules P1, D1). */
async function recordIntent(
  work: SubscriptionWork,
  intent: Change,
  method: NonNullable<Awaited<ReturnType<typeof cardOf>>>,
): Promise<Payment> {
  const { tx, subscription, now } = work;
  changes.insert(tx, intent);
  await recordSubscription(work, { ...subscription, changeId: intent.id }, null, now);
  const attempt = {
    kind: "charge",
    sourceId: intent.id,
    checkoutId: null,
    changeId: intent.id,
    invoiceId: null,
    subscriptionId: subscription.id,
    amount: intent.plan.totals.amountDue,
    currency: subscription.currency,
    trigger: "product_change",
  } as const;
  return recordAttempt(work, attempt, method, now, true);
}
