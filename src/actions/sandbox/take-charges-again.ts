import type { Context } from "../../context.ts";
import { SANDBOX } from "../../domain/model/payment-outcome.ts";
import { unsettledPayments } from "../../store/payments.ts";
import { unsettledRefunds } from "../../store/refunds.ts";
import { carryOutAll } from "../payment/carry-out-many.ts";
import { resumePayments } from "../payment/pause.ts";
import { carryOutRefund } from "../refund/carry-out.ts";

/**
 * `POST /sandbox/payments/resume`: the built-in provider takes charges again after a test card made it refuse them. All
 * charges and refunds that waited are made before the answer (rule D9).
 */
export async function takeChargesAgain(ctx: Context, organizationId: string): Promise<void> {
  await ctx.payments.sandbox.takeChargesAgain(organizationId);
  await resumePayments(ctx, organizationId, { provider: SANDBOX, providerAccount: SANDBOX });
  await carryOutAll(ctx, organizationId, await unsettledPayments(ctx.db.read, organizationId));
  for (const id of await unsettledRefunds(ctx.db.read, organizationId)) await carryOutRefund(ctx, organizationId, id);
}
