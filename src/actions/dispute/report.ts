import type { Context } from "../../context.ts";
import type { DisputeReport } from "../../domain/model/dispute-report.ts";
import { reportDispute as decideReport } from "../../domain/dispute/report.ts";
import type { ProviderAccount } from "../../domain/model/payment-outcome.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { inBilling } from "../customer-billing.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { isAt } from "../provider.ts";

/** Books a dispute as the provider has it. `unmatched`: no payment of the Organization has the disputed charge. */
export async function reportDispute(
  ctx: Context,
  organizationId: string,
  account: ProviderAccount,
  report: DisputeReport,
): Promise<"taken" | "unmatched"> {
  const payment = await findByProviderKey(ctx.db.read, organizationId, report.chargeKey);
  if (!payment || !isAt(payment, account)) return "unmatched";
  const { id } = payment;
  // A disputed charge has succeeded, even if Billow does not know this yet.
  await carryOutPayment(ctx, organizationId, id);
  const key = { by: "payment", organizationId, id } as const;
  return ctx.db.tx((tx) => inBilling(ctx, tx, key, (each) => decideReport(each, id, report), { deleted: true }));
}
