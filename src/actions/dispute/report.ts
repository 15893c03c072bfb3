import type { Context } from "../../context.ts";
import type { DisputeReport } from "../../domain/model/dispute-report.ts";
import { reportDispute as decideReport } from "../../domain/dispute/report.ts";
import type { ProviderAccount } from "../../domain/model/payment-outcome.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { inBilling } from "../customer-billing.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { isAt } from "../provider.ts";

/** Books a dispute as the provider has it. `stranger`: no payment of the Organization has the disputed charge. */
export async function reportDispute(
  ctx: Context,
  organizationId: string,
  account: ProviderAccount,
  fact: DisputeReport,
): Promise<"taken" | "stranger"> {
  const payment = await findByProviderKey(ctx.db.read, organizationId, fact.chargeKey);
  if (!payment || !isAt(payment, account)) return "stranger";
  const { id } = payment;
  // A disputed charge has succeeded, even if Billow does not know this yet.
  await carryOutPayment(ctx, organizationId, id);
  const key = { by: "payment", organizationId, id } as const;
  return ctx.db.tx((tx) => inBilling(ctx, tx, key, (each) => decideReport(each, id, fact), { deleted: true }));
}
