import type { Context } from "../context.ts";
import type { Instant } from "../domain/calendar.ts";
import { disputable, rateAtStake, type Dispute, type DisputeOutcome, type DisputeReason } from "../domain/dispute.ts";
import { decided, disputed } from "../domain/ledger.ts";
import { isCharge, type Payment } from "../domain/payment.ts";
import type { Subscription } from "../domain/subscription.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { disputeETag, presentDispute, type CloseDisputeParams, type DisputePaymentParams } from "../resources/dispute.ts";
import { disputes, standingDispute } from "../store/disputes.ts";
import { payments } from "../store/payments.ts";
import { refundsOf } from "../store/refunds.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { findRateLine, givenBackOf } from "./given-back.ts";
import { post, readBill } from "./issue-invoice.ts";
import { recordDispute, recordSubscription } from "./record.ts";
import { runDue } from "./run-due.ts";
import { workOnAnyone, type Work } from "./work.ts";

type Sold = Pick<Dispute, "subscriptionId" | "rateAtStake" | "periodNumber">;

const answerWith = (status: 200 | 201, dispute: Dispute) => answer(status, presentDispute(dispute), { ETag: disputeETag(dispute) });

/**
 * `POST /sandbox/payments/{id}/dispute`: what a bank does whose customer objects to a charge (rule D5).
 * @throws AppError 404, 409 `payment_not_disputable`, `already_disputed`
 */
export async function disputePayment(ctx: Context, call: Call, id: string, { reason }: DisputePaymentParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const seen = await payments.find(tx, call.organizationId, id);
    const work = seen && isCharge(seen) && (await workOnAnyone(ctx, tx, call.organizationId, seen.customerId));
    if (!work) throw new AppError("not_found");
    await runDue(work);
    const payment = await payments.lock(tx, call.organizationId, id);
    if (!payment) throw new AppError("not_found");
    return answerWith(201, await openDispute(work, payment, reason, work.now));
  });
}

/** `POST /sandbox/disputes/{id}/close`: what a bank decides. @throws AppError 404, 409 `dispute_closed` */
export async function closeDispute(ctx: Context, call: Call, id: string, { outcome }: CloseDisputeParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const seen = await disputes.find(tx, call.organizationId, id);
    const work = seen && (await workOnAnyone(ctx, tx, call.organizationId, seen.customerId));
    if (!work) throw new AppError("not_found");
    await runDue(work);
    const dispute = await disputes.lock(tx, call.organizationId, id);
    if (!dispute) throw new AppError("not_found");
    if (dispute.status !== "open") throw new AppError("dispute_closed");
    return answerWith(200, await decideDispute(work, dispute, outcome, work.now));
  });
}

async function openDispute(work: Work, payment: Payment, reason: DisputeReason, at: Instant): Promise<Dispute> {
  const { tx, organization } = work;
  if (await standingDispute(tx, organization.id, payment.id)) throw new AppError("already_disputed");
  const refunds = payment.invoiceId === null ? [] : await refundsOf(tx, organization.id, payment.invoiceId);
  const amount = disputable(payment, refunds);
  if (amount === 0) throw new AppError("payment_not_disputable");
  const sold = await whatWasSold(work, payment);
  const { id: paymentId, invoiceId, customerId, currency } = payment;
  const dispute: Dispute = {
    organizationId: organization.id,
    id: newId("dsp"),
    paymentId,
    invoiceId,
    ...sold,
    customerId,
    status: "open",
    reason,
    amount,
    currency,
    closedAt: null,
    cardClearedAt: null,
    version: 0,
    eventSequence: 0,
    createdAt: at,
    updatedAt: at,
  };
  post(work, "dispute_opened", dispute.id, currency, disputed(amount), at);
  return recordDispute(work, dispute, "dispute.created", at);
}

/** Which Subscription the charge was for, and what of its period in progress hangs on it. */
async function whatWasSold(work: Work, { invoiceId, subscriptionId }: Payment): Promise<Sold> {
  const bill = invoiceId === null ? null : await readBill(work, invoiceId);
  const id = bill?.invoice.subscriptionId ?? subscriptionId;
  const subscription = id === null ? null : await subscriptions.lock(work.tx, work.organization.id, id);
  const nothing = { subscriptionId: id, rateAtStake: 0, periodNumber: null };
  if (!bill || bill.invoice.status !== "paid" || !subscription || subscription.status === "canceled") return nothing;
  const { refunds, credits } = await givenBackOf(work.tx, work.organization.id, bill.invoice.id);
  const stake = rateAtStake({ ...bill, refunds, credits }, await findRateLine(work.tx, subscription), subscription);
  if (stake === 0) return nothing;
  return { subscriptionId: id, rateAtStake: stake, periodNumber: subscription.periodNumber };
}

async function decideDispute(work: Work, dispute: Dispute, outcome: DisputeOutcome, at: Instant): Promise<Dispute> {
  post(work, `dispute_${outcome}`, dispute.id, dispute.currency, decided(outcome, dispute.amount), at);
  if (outcome === "lost") await lowerPaidRate(work, dispute, at);
  return recordDispute(work, { ...dispute, status: outcome, closedAt: at }, "dispute.closed", at);
}

/**
 * A lost charge is not credited when its period is left early (rule P). Where a change was being paid when the dispute began, it has
 * credited the line already; that credit is held (rule D7).
 */
async function lowerPaidRate(work: Work, dispute: Dispute, at: Instant): Promise<void> {
  const { subscriptionId, invoiceId, rateAtStake: stake, periodNumber } = dispute;
  if (subscriptionId === null || stake === 0) return;
  const subscription = await subscriptions.lock(work.tx, work.organization.id, subscriptionId);
  if (!subscription || !isInProgress(subscription, periodNumber)) return;
  if ((await findRateLine(work.tx, subscription))?.invoiceId !== invoiceId) return;
  await recordSubscription(work, { ...subscription, paidRate: subscription.paidRate - stake }, null, at);
}

const isInProgress = ({ status, periodNumber }: Subscription, number: number | null) => status !== "canceled" && periodNumber === number;
