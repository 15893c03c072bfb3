import type { Context } from "../../context.ts";
import type { Part } from "../../domain/billing/parts.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { settlePayment } from "../../domain/settlement/settle.ts";
import { holdPayments } from "../../store/payment-pauses.ts";
import { findChargeable } from "../../store/payments.ts";
import { inBilling } from "../customer-billing.ts";
import type { Calling } from "./pause.ts";
import { outcomeOf } from "./outcome.ts";

/**
 * An attempt that is abandoned at its first challenge, or at the end of the wait for the buyer, is canceled at once:
 * only the provider's answer to the cancellation is final.
 */
export const isToGiveUp = (before: Payment, settled: Payment) =>
  settled.status === "requires_action" &&
  settled.abandoned &&
  !(before.status === "requires_action" && before.abandoned);

/**
 * Makes a charge at the provider or asks for its outcome, with no transaction open, and settles the payment by the
 * provider's answer (rules D1, D2). This function may run any number of times, even at the same time: the provider
 * makes one charge for each key, and a later run finds the payment settled. While the account is paused, the payment is
 * not sent and stays as it is (rule D9).
 */
export function carryOutPayment(ctx: Context, organizationId: string, id: string): Promise<Payment> {
  return carryOut(ctx, organizationId, id, "due");
}

/**
 * The first call for an attempt that this request has just recorded. If the provider refuses all charges, the attempt
 * has failed, because no earlier call can have charged (rule D9). `parts`: the parts that the settlement is known to
 * need, the open items among them.
 */
export function sendPayment(
  ctx: Context,
  organizationId: string,
  id: string,
  parts?: readonly Part[],
): Promise<Payment> {
  return carryOut(ctx, organizationId, id, "first", parts);
}

/** As `carryOutPayment`, for an account that is paused: the answer may end the pause. */
export function probeWithPayment(ctx: Context, organizationId: string, id: string): Promise<Payment> {
  return carryOut(ctx, organizationId, id, "probe");
}

async function carryOut(
  ctx: Context,
  organizationId: string,
  id: string,
  calling: Calling,
  parts?: readonly Part[],
): Promise<Payment> {
  const payment = await findChargeable(ctx.db.read, organizationId, id);
  if (!payment) throw new Error(`no payment ${id}`);
  if (payment.settledAt !== null) return payment;
  const outcome = await outcomeOf(ctx, payment, calling);
  if (outcome === null) {
    await ctx.db.tx((tx) => holdPayments(tx, [payment]));
    return payment;
  }
  const key = { by: "payment", organizationId, id } as const;
  const options = { deleted: true, ...(parts && { parts }) };
  const settled = await ctx.db.tx((tx) =>
    inBilling(ctx, tx, key, (billing) => settlePayment(billing, id, outcome), options),
  );
  return isToGiveUp(payment, settled) ? carryOut(ctx, organizationId, id, "due", parts) : settled;
}
