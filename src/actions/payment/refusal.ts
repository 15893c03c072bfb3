import type { Context } from "../../context.ts";
import { FINISHING_HOURS } from "../../domain/change/change-page.ts";
import type { Change } from "../../domain/model/frozen-plan.ts";
import { isProviderRefusal, type FailureCode } from "../../domain/model/payment-outcome.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { Refusal, type ChargeFailure } from "../../domain/refusal.ts";
import { AppError } from "../../errors.ts";
import { checkoutUrl, invoiceUrl, type PageRef } from "../links.ts";

/**
 * The change was not made. `page`: the Checkout on which the buyer can finish the change (rule P1), or null for a
 * preview.
 */
export function paymentRequired(
  ctx: Context,
  reason: ChargeFailure,
  declineCode: string | null,
  page: PageRef | null,
): Refusal {
  const finishing = page && { id: page.id, url: checkoutUrl(ctx, page), hours: FINISHING_HOURS };
  return new Refusal("change_not_paid", { reason, declineCode, page: finishing });
}

/** The reason why the payment of a change did not succeed. A refusal by the provider has no page (rule D9). */
export function changeRefusal(ctx: Context, payment: Payment, { organizationId, pageId }: Change): Refusal {
  const declineCode = payment.failureCode as FailureCode;
  if (isProviderRefusal(declineCode)) return new Refusal("payment_refused", { declineCode });
  const action = payment.actionUrl !== null && payment.failureCode === "authentication_failed";
  const page = pageId === null ? null : { organizationId, id: pageId };
  return paymentRequired(ctx, action ? "payment_action_required" : "payment_failed", payment.failureCode, page);
}

/**
 * 503: a charge may or may not have been made. A repeated request gets the outcome once the provider knows it
 * (rule D2).
 */
export function outcomeUnknown(): AppError {
  const detail =
    "The outcome of the payment is not known yet. " +
    "Send the request again after `Retry-After` seconds, with the same Idempotency-Key.";
  return new AppError("unavailable", { detail, headers: { "Retry-After": "2" } });
}

/** A charge by hand did not pay. The Payment shows the attempt, and `url` is the page of the invoice. */
export const notPaid = (ctx: Context, invoice: PageRef, reason: ChargeFailure, declineCode: string | null = null) =>
  new Refusal("charge_not_paid", { reason, declineCode, url: invoiceUrl(ctx, invoice) });

/** The reason why a charge by hand did not pay the invoice. */
export function handRefusal(ctx: Context, { organizationId, sourceId: id, status, failureCode }: Payment): Refusal {
  const declineCode = failureCode as FailureCode;
  if (isProviderRefusal(declineCode)) return new Refusal("payment_refused", { declineCode });
  return notPaid(
    ctx,
    { organizationId, id },
    status === "requires_action" ? "payment_action_required" : "payment_failed",
    failureCode,
  );
}
