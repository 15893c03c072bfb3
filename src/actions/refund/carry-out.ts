import type { Context } from "../../context.ts";
import { LEASE_MILLISECONDS } from "../../domain/payment/attempt.ts";
import type { Outcome } from "../../domain/model/payment-outcome.ts";
import { settleRefund } from "../../domain/refund/settle.ts";
import type { Refund } from "../../domain/model/refund.ts";
import { AppError } from "../../errors.ts";
import { holdRefund } from "../../store/payment-pauses.ts";
import { findChargeable, type ChargeablePayment } from "../../store/payments.ts";
import { leaseRefund, refunds } from "../../store/refunds.ts";
import { inBilling } from "../customer-billing.ts";
import { pausably } from "../payment/pause.ts";
import { providerAt } from "../provider.ts";

/**
 * Asks the provider for the outcome of a refund now. Refunding twice with one key makes one refund, so a pending refund
 * is simply sent, even if it was sent before.
 */
async function ask(ctx: Context, refund: Refund, payment: ChargeablePayment): Promise<Outcome> {
  const { organizationId, id: key, status, amount } = refund;
  const provider = await providerAt(ctx, organizationId, payment);
  if (!provider) return { status: "refused", scope: "account", reason: "disconnected" };
  if (status === "unknown") {
    const outcome = await provider.read(organizationId, key);
    if (outcome.status !== "absent") return outcome;
  }
  return provider.refund({ organizationId, key, chargeKey: payment.providerKey, amount });
}

/** As `ask`, but a failing provider or database leaves the outcome unknown. */
async function outcomeOf(ctx: Context, refund: Refund, payment: ChargeablePayment): Promise<Outcome> {
  try {
    return await ask(ctx, refund, payment);
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.error({ err: error, refundId: refund.id }, "the payment provider failed");
    return { status: "unknown" };
  }
}

/**
 * Makes a refund at the provider or asks for its outcome, with no transaction open, and settles the refund by the
 * provider's answer (rules D1, D2). As with payments, this function may run any number of times, even at the same time.
 * While the account is paused, the refund is not sent and stays as it is, unless `calling` is `probe` (rule D9).
 */
export async function carryOutRefund(
  ctx: Context,
  organizationId: string,
  id: string,
  calling: "due" | "probe" = "due",
): Promise<void> {
  const refund = await refunds.find(ctx.db.read, organizationId, id);
  if (!refund) throw new Error(`no refund ${id}`);
  if (refund.settledAt !== null) return;
  const payment = refund.paymentId && (await findChargeable(ctx.db.read, organizationId, refund.paymentId));
  if (!payment) throw new Error(`refund ${id} has no provider`);
  const outcome = await pausably(ctx, payment, calling, () => outcomeOf(ctx, refund, payment));
  if (outcome.status === "refused" && outcome.scope === "account")
    return ctx.db.tx((tx) => holdRefund(tx, { organizationId, id }));
  const key = { by: "refund", organizationId, id } as const;
  await ctx.db.tx((tx) => inBilling(ctx, tx, key, (billing) => settleRefund(billing, id, outcome), { deleted: true }));
}

/** Runs `carryOutRefund` if this process gets the lease. Returns whether it got the lease. */
export async function carryOutDueRefund(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  const leased = await ctx.db.tx((tx) => leaseRefund(tx, organizationId, id, LEASE_MILLISECONDS));
  if (leased) await carryOutRefund(ctx, organizationId, id);
  return leased;
}
