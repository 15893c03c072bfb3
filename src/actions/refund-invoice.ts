import type { Context } from "../context.ts";
import { creditedElsewhere } from "../domain/credit.ts";
import type { Invoice } from "../domain/invoice.ts";
import { allocateRefund, rateLoweredBy, refundable, type Refund, type RefundLine } from "../domain/refund.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import type { CreateRefundParams } from "../resources/refund.ts";
import type { Tx } from "../store/db.ts";
import { invoices } from "../store/invoices.ts";
import { capturedFor, liveAttempt } from "../store/payments.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { findRateLine, givenBackOf, type Back } from "./given-back.ts";
import { readBill, type Bill } from "./issue-invoice.ts";
import type { Origin } from "./origin.ts";
import { recordRefund, recordSubscription } from "./record.ts";
import { runDue } from "./run-due.ts";
import { applyRefund } from "./settle-refund.ts";
import { requireNoChange } from "./subscription-work.ts";
import { workOnAnyone, type Work } from "./work.ts";

/**
 * `POST /invoices/{id}/refunds` (rule I3): to the balance at once; to a card the refund is recorded, and the worker calls the provider.
 * @throws AppError 404, 409 `invoice_not_paid`, `payment_unknown`, `nothing_to_refund`, `credited`, `change_in_progress`, 422
 */
export async function refundInvoice(ctx: Context, origin: Origin<Refund>, id: string, params: CreateRefundParams): Promise<Refund> {
  return origin.transaction(ctx, async (tx) => {
    const { work, bill } = await workOnPaidInvoice(ctx, tx, origin.organizationId, id);
    const draft = await newRefund(work, bill, params);
    const refund = await recordRefund(work, await lowerPaidRate(work, bill, draft), "refund.created", work.now);
    if (refund.status === "succeeded") await applyRefund(work, bill, refund, work.now);
    return refund;
  });
}

async function workOnPaidInvoice(ctx: Context, tx: Tx, organizationId: string, id: string): Promise<{ work: Work; bill: Bill }> {
  const seen = await invoices.find(tx, organizationId, id);
  const work = seen && (await workOnAnyone(ctx, tx, organizationId, seen.customerId));
  if (!work) throw new AppError("not_found");
  await runDue(work);
  const bill = await readBill(work, id);
  if (!bill) throw new AppError("not_found");
  if (bill.invoice.status !== "paid") {
    const live = await liveAttempt(tx, organizationId, id);
    throw new AppError(live && live.status !== "requires_action" ? "payment_unknown" : "invoice_not_paid");
  }
  return { work, bill };
}

/** What is asked for, checked against what is left; not written yet. One to the balance has succeeded when it is written. */
async function newRefund(work: Work, { invoice, lines }: Bill, params: CreateRefundParams): Promise<Refund> {
  const back = await givenBackOf(work.tx, work.organization.id, invoice.id);
  const amount = amountOf(invoice, back, params.amount);
  if (params.revokeGrants && invoice.subscriptionId !== null) {
    throw invalid("/revokeGrants", "not_one_time", "Only a one-time purchase; a Subscription's grants end with it.");
  }
  const paymentId = params.to === "card" ? await chargeOf(work, invoice) : balanceOf(work);
  const given = back.refunds.filter(({ status }) => status !== "failed").flatMap((refund) => refund.lines);
  const parts = allocateRefund(lines, given, back.credits, amount);
  const done = params.to === "balance";
  return {
    organizationId: work.organization.id,
    id: newId("rfd"),
    invoiceId: invoice.id,
    customerId: invoice.customerId,
    paymentId,
    status: done ? "succeeded" : "pending",
    amount,
    taxAmount: taxIn(parts),
    currency: invoice.currency,
    to: params.to,
    reason: params.reason,
    revokeGrants: params.revokeGrants,
    lines: parts,
    rateLowered: 0,
    periodNumber: null,
    creditNoteId: done ? newId("crn") : null,
    checkAt: done ? null : work.realNow,
    checks: 0,
    settledAt: done ? work.now : null,
    version: 0,
    eventSequence: 0,
    createdAt: work.now,
    updatedAt: work.now,
  };
}

/** The amount to refund, by default all that is left. @throws AppError 409 `nothing_to_refund`, `credited`, 422 */
function amountOf(invoice: Invoice, back: Back, asked: number | null): number {
  const limit = refundable(invoice, back);
  const withoutCredits = refundable(invoice, { ...back, credits: [] });
  if (withoutCredits === 0) throw new AppError("nothing_to_refund");
  const amount = asked ?? (limit === 0 ? withoutCredits : limit);
  if (amount <= limit) return amount;
  const isCredited = creditedElsewhere(back.credits) > 0 && amount <= withoutCredits;
  if (isCredited) throw new AppError("credited", { extra: { refundableAmount: limit } });
  throw invalid("/amount", "too_large", `At most ${limit} of this Invoice can be refunded.`);
}

const taxIn = (parts: readonly RefundLine[]) => parts.reduce((sum, part) => sum + part.taxAmount, 0);

/** The charge that is given back. @throws AppError 422 where no card paid */
async function chargeOf(work: Work, invoice: Invoice): Promise<string> {
  const payment = invoice.paidOutside ? null : await capturedFor(work.tx, work.organization.id, invoice.id);
  if (!payment) throw invalid("/to", "not_paid_by_card", "No card was charged for this Invoice; refund it to the `balance`.");
  return payment.id;
}

/** No charge is given back. @throws AppError 422 where nobody is left to have a balance */
function balanceOf({ customer }: Work): null {
  if (customer.deletedAt === null) return null;
  throw invalid("/to", "customer_deleted", "The Customer is deleted, and has no balance any more; refund the `card`.");
}

/**
 * What is given back of the period in progress is no longer credited when it is left early (rule P): from now on, as it counts against
 * the limit from now on.
 */
async function lowerPaidRate(work: Work, { invoice }: Bill, refund: Refund): Promise<Refund> {
  if (invoice.subscriptionId === null) return refund;
  const subscription = await subscriptions.lock(work.tx, work.organization.id, invoice.subscriptionId);
  if (!subscription || subscription.status === "canceled") return refund;
  const rateLine = await findRateLine(work.tx, subscription);
  // A change that is being paid has fixed its credit already.
  if (refund.lines.some(({ invoiceLineId }) => invoiceLineId === rateLine?.id)) requireNoChange(subscription);
  const rateLowered = rateLoweredBy(refund.lines, rateLine, subscription);
  if (rateLowered === 0) return refund;
  await recordSubscription(work, { ...subscription, paidRate: subscription.paidRate - rateLowered }, null, work.now);
  return { ...refund, rateLowered, periodNumber: subscription.periodNumber };
}
