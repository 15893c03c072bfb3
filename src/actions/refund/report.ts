import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { ProviderAccount } from "../../domain/model/payment-outcome.ts";
import type { RefundReport } from "../../domain/model/refund-report.ts";
import { reportRefund as decideReport } from "../../domain/refund/report.ts";
import type { Refund } from "../../domain/model/refund.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { inBilling } from "../customer-billing.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { isAt } from "../provider.ts";

/**
 * Books a provider's report about a refund (rules I8, I9), and calls no provider about the refund itself. A repetition
 * changes nothing. `unmatched`: the charge is not ours, or is kept at another account. `later`: the refund or its
 * charge has no final outcome yet, so the caller reports again.
 */
export async function reportRefund(
  ctx: Context,
  organizationId: string,
  account: ProviderAccount,
  report: RefundReport,
): Promise<Refund | "unmatched" | "later"> {
  const payment = await findByProviderKey(ctx.db.read, organizationId, report.chargeKey);
  if (!payment || !isAt(payment, account)) return "unmatched";
  // A refund proves that the charge was made, so the provider knows the outcome of the charge.
  if (payment.settledAt === null && report.status !== "processing")
    await carryOutPayment(ctx, organizationId, payment.id);
  const key = { by: "payment", organizationId, id: payment.id } as const;
  const decide = (billing: CustomerBilling) => decideReport(billing, payment.id, report);
  return (await ctx.db.tx((tx) => inBilling(ctx, tx, key, decide, { deleted: true }))) ?? "later";
}
