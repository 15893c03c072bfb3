import type { Context } from "../../context.ts";
import type { Answered } from "../../domain/account/answered.ts";
import type { Payment } from "../../domain/payment.ts";
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/db.ts";
import { invoiceUrl, type PageRef } from "../links.ts";
import type { Outcome } from "../origin.ts";
import { changeRefusal, type PaymentRefusal } from "../subscription/change.ts";

const DETAILS: Record<PaymentRefusal, string> = {
  payment_failed: "The invoice was not paid; `declineCode` says why. Ask the buyer for another card.",
  payment_action_required: "The invoice is still open. Send the buyer to the `url` of the Payment's `nextAction`, to authenticate it.",
  payment_method_required: "The invoice is still open. The buyer has to give a card that may be charged.",
};

/** 402 of a charge by hand: the Payment tells of the attempt, and `url` is the page of the invoice. */
export function notPaid(ctx: Context, invoice: PageRef, code: PaymentRefusal, declineCode: string | null = null): AppError {
  return new AppError(code, { detail: DETAILS[code], extra: { declineCode, checkoutId: null, url: invoiceUrl(ctx, invoice) } });
}

/** Why a charge by hand did not pay the invoice. */
export function handRefusal(ctx: Context, { organizationId, sourceId: id, status, failureCode }: Payment): AppError {
  return notPaid(ctx, { organizationId, id }, status === "requires_action" ? "payment_action_required" : "payment_failed", failureCode);
}

function outcomeOf(ctx: Context, answered: Answered, externalCustomerId: string | null): Outcome {
  const { requestId } = answered;
  switch (answered.outcome) {
    case "changed":
      return { kind: "subscription", subscription: answered.subscription, externalCustomerId };
    case "change_refused":
      return { kind: "refused", error: changeRefusal(ctx, answered.payment, answered.change), requestId };
    case "paid":
      return { kind: "invoice", ...answered.bill };
    case "not_paid":
      return { kind: "refused", error: handRefusal(ctx, answered.payment), requestId };
  }
}

/** Keeps the answers that a settlement has found, so that a repeat of such a request gets its answer even after a crash. */
export function keepAnswers(ctx: Context, tx: Tx, all: readonly Answered[], externalCustomerId: string | null): void {
  for (const answered of all) ctx.answers.keep(ctx, tx, answered.idempotency, outcomeOf(ctx, answered, externalCustomerId));
}
