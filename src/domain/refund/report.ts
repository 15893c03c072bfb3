import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import { isCharge } from "../model/payment.ts";
import type { RefundReport } from "../model/refund-report.ts";
import { failLate } from "./fail-late.ts";
import { recordOutsideRefund } from "./outside-refund.ts";
import type { Refund } from "../model/refund.ts";
import { failRefund, settleRefund } from "./settle.ts";

/**
 * Books a provider's report about a refund of this charge (rules I8, I9f). Reports may come late, twice and in any
 * order: a failure is final. A key that Billow does not know counts as a refund made outside, because a restored backup
 * can lack the refund. Null: the report or the charge has no final outcome, so the report must come again.
 */
export function reportRefund(billing: CustomerBilling, paymentId: string, report: RefundReport): Refund | null {
  billing.need({ part: "payment", id: paymentId }, { part: "refunds_of", paymentId });
  const payment = billing.payments.get(paymentId);
  if (!payment || !isCharge(payment)) throw new Error(`no charge ${paymentId}`);
  const [known] = billing.refunds.where(
    (refund) => refund.paymentId === paymentId && (refund.id === report.key || refund.providerRef === report.ref),
  );
  if (report.status === "processing") return null;
  if (known) return settleKnown(billing, known, report);
  return payment.status === "succeeded" ? recordOutsideRefund(billing, payment, report) : null;
}

function settleKnown(billing: CustomerBilling, refund: Refund, { ref, status, failureCode }: RefundReport): Refund {
  const { id } = refund;
  billing.need({ part: "refund", id });
  const named = refund.providerRef === null ? { ...refund, providerRef: ref } : refund;
  if (named !== refund) recordRefund(billing, named, null, billing.now);
  const isFailure = status === "failed";
  if (isFailure && refund.status === "succeeded") return failLate(billing, id, failureCode ?? "unknown");
  if (refund.settledAt !== null) return named;
  return isFailure
    ? failRefund(billing, id, failureCode ?? "unknown")
    : settleRefund(billing, id, { status: "succeeded" });
}
