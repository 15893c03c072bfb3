import type { Context } from "../context.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { linesOf } from "../store/invoice-lines.ts";
import { invoices } from "../store/invoices.ts";
import { payments } from "../store/payments.ts";
import { readBill, type Bill } from "./issue-invoice.ts";
import { invoiceUrl, type PageRef } from "./links.ts";
import type { Outcome } from "./origin.ts";
import { outcomeUnknown, type PaymentRefusal } from "./subscription-work.ts";
import type { Work } from "./work.ts";

const DETAILS: Record<PaymentRefusal, string> = {
  payment_failed: "The invoice was not paid; `declineCode` says why. Ask the buyer for another card.",
  payment_action_required: "The invoice is still open. Send the buyer to the `url` of the Payment's `nextAction`, to authenticate it.",
  payment_method_required: "The invoice is still open. The buyer has to give a card that may be charged.",
};

/** 402 by hand: the attempt is told by its Payment, and `url` is the page of the invoice. */
export function notPaid(ctx: Context, invoice: PageRef, code: PaymentRefusal, declineCode: string | null = null): AppError {
  return new AppError(code, { detail: DETAILS[code], extra: { declineCode, checkoutId: null, url: invoiceUrl(ctx, invoice) } });
}

function refusalOf(ctx: Context, { organizationId, sourceId: id, status, failureCode }: Payment): AppError {
  return notPaid(ctx, { organizationId, id }, status === "requires_action" ? "payment_action_required" : "payment_failed", failureCode);
}

/** Keeps the answer of a manual attempt for its Idempotency-Key with the settlement, so that a repeat gets it even after a crash. */
export async function keepManualAnswer(work: Work, payment: Payment): Promise<void> {
  // A challenge was the answer when it was asked for, whatever became of it.
  if (!payment.request || (payment.settledAt !== null && payment.actionUrl !== null)) return;
  const { requestId, idempotency: ref } = payment.request;
  const bill = await readBill(work, payment.sourceId);
  if (!bill) throw new Error(`payment ${payment.id} is for no invoice`);
  const outcome: Outcome =
    payment.status === "succeeded"
      ? { kind: "invoice", ...bill }
      : { kind: "refused", error: refusalOf(work.ctx, payment), requestId };
  work.ctx.answers.keep(work.ctx, work.tx, ref, outcome);
}

/** The invoice that a manual attempt has paid. @throws AppError 402 when it did not pay, 503 while that is not known */
export async function manualOutcome(ctx: Context, organizationId: string, paymentId: string): Promise<Bill> {
  const { read } = ctx.db;
  const payment = await payments.find(read, organizationId, paymentId);
  if (!payment || payment.status === "pending" || payment.status === "unknown") throw outcomeUnknown();
  if (payment.status !== "succeeded") throw refusalOf(ctx, payment);
  const [invoice, lines] = await Promise.all([
    invoices.find(read, organizationId, payment.sourceId),
    linesOf(read, organizationId, payment.sourceId),
  ]);
  if (!invoice) throw new AppError("not_found");
  return { invoice, lines };
}
