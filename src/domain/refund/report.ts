import type { Account } from "../billing/customer-billing.ts";
import { recordRefund } from "../billing/record.ts";
import { isCharge } from "../model/payment.ts";
import type { RefundReport } from "../model/refund-report.ts";
import { failLate } from "./fail-late.ts";
import { recordOutsideRefund } from "./outside.ts";
import type { Refund } from "../model/refund.ts";
import { failRefund, settleRefund } from "./settle.ts";

/**
 * Books a provider's report about a refund of this charge (rules I8, I9f). Reports may come late, twice and in any
 * order: a failure is final. A key that Billow does not know counts as a refund made outside, because a restored backup
 * can lack the refund. Null: the report or the charge has no final outcome, so the report must come again.
 */
export function reportRefund(account: Account, paymentId: string, fact: RefundReport): Refund | null {
  account.need({ part: "payment", id: paymentId }, { part: "refunds_of", paymentId });
  const payment = account.payments.get(paymentId);
  if (!payment || !isCharge(payment)) throw new Error(`no charge ${paymentId}`);
  const [known] = account.refunds.where(
    (refund) => refund.paymentId === paymentId && (refund.id === fact.key || refund.providerRef === fact.ref),
  );
  if (fact.status === "processing") return null;
  if (known) return settleKnown(account, known, fact);
  return payment.status === "succeeded" ? recordOutsideRefund(account, payment, fact) : null;
}

function settleKnown(account: Account, refund: Refund, { ref, status, failureCode }: RefundReport): Refund {
  const { id } = refund;
  account.need({ part: "refund", id });
  const named = refund.providerRef === null ? { ...refund, providerRef: ref } : refund;
  if (named !== refund) recordRefund(account, named, null, account.now);
  const isFailure = status === "failed";
  if (isFailure && refund.status === "succeeded") return failLate(account, id, failureCode ?? "unknown");
  if (refund.settledAt !== null) return named;
  return isFailure
    ? failRefund(account, id, failureCode ?? "unknown")
    : settleRefund(account, id, { status: "succeeded" });
}
