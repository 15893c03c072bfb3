import type { Context } from "../../context.ts";
import { FINISHING_HOURS } from "../../domain/change/change-page.ts";
import type { Change } from "../../domain/model/frozen-plan.ts";
import { isRefusal, type FailureCode } from "../../domain/model/payment-outcome.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { AppError } from "../../errors.ts";
import { checkoutUrl, invoiceUrl, type PageRef } from "../links.ts";

/** 402: the provider refused the charge, and the buyer is not at fault. So there is no page for the buyer (rule D9). */
export function chargeRefused(declineCode: FailureCode): AppError {
  return new AppError("payment_refused", { extra: { declineCode, checkoutId: null, url: null } });
}

export type ChargeFailure = "payment_failed" | "payment_action_required" | "payment_method_required";

/** The reason why a change was not made, and the deed with which the buyer finishes the change on its page. */
const OF_A_CHANGE: Record<ChargeFailure, [reason: string, deed: string]> = {
  payment_failed: ["the payment failed, and `declineCode` names the reason", "give another card"],
  payment_action_required: ["the buyer's bank wants the buyer to authenticate the payment", "authenticate"],
  payment_method_required: ["no card is on file", "give a card"],
};

/**
 * 402: the change was not made. `page`: the Checkout on which the buyer can finish the change (rule P1), or null for a
 * preview.
 */
export function paymentRequired(
  ctx: Context,
  code: ChargeFailure,
  declineCode: string | null,
  page: PageRef | null,
): AppError {
  const [reason, deed] = OF_A_CHANGE[code];
  const next = page
    ? `Send the buyer to \`url\`, to ${deed} there within ${FINISHING_HOURS} hours and so finish this very change.`
    : "The answer to the change itself has the `url` of a page on which the buyer can finish the change.";
  return new AppError(code, {
    detail: `The Subscription is unchanged: ${reason}. ${next}`,
    extra: { declineCode, checkoutId: page && page.id, url: page && checkoutUrl(ctx, page) },
  });
}

/** The 402 that answers the PATCH of a change, with the reason why the change's payment did not succeed. */
export function changeRefusal(ctx: Context, payment: Payment, { organizationId, pageId }: Change): AppError {
  const refused = payment.failureCode as FailureCode;
  if (isRefusal(refused)) return chargeRefused(refused);
  const action = payment.actionUrl !== null && payment.failureCode === "authentication_failed";
  const page = pageId === null ? null : { organizationId, id: pageId };
  return paymentRequired(ctx, action ? "payment_action_required" : "payment_failed", payment.failureCode, page);
}

/**
 * 503: a charge may or may not have been made. A repeated request gets the outcome once the provider knows it (rule
 * D2).
 */
export function outcomeUnknown(): AppError {
  const detail =
    "The outcome of the payment is not known yet. " +
    "Send the request again after `Retry-After` seconds, with the same Idempotency-Key.";
  return new AppError("unavailable", { detail, headers: { "Retry-After": "2" } });
}

const DETAILS: Record<ChargeFailure, string> = {
  payment_failed: "The invoice was not paid. `declineCode` names the reason. Ask the buyer for another card.",
  payment_action_required:
    "The invoice is still open. Send the buyer to the `url` of the Payment's `nextAction`, to authenticate it.",
  payment_method_required: "The invoice is still open. The buyer has to give a card that may be charged.",
};

/** 402 for a charge by hand. The Payment shows the attempt, and `url` is the page of the invoice. */
export function notPaid(
  ctx: Context,
  invoice: PageRef,
  code: ChargeFailure,
  declineCode: string | null = null,
): AppError {
  return new AppError(code, {
    detail: DETAILS[code],
    extra: { declineCode, checkoutId: null, url: invoiceUrl(ctx, invoice) },
  });
}

/** The reason why a charge by hand did not pay the invoice. */
export function handRefusal(ctx: Context, { organizationId, sourceId: id, status, failureCode }: Payment): AppError {
  const refused = failureCode as FailureCode;
  if (isRefusal(refused)) return chargeRefused(refused);
  return notPaid(
    ctx,
    { organizationId, id },
    status === "requires_action" ? "payment_action_required" : "payment_failed",
    failureCode,
  );
}
