import type { Context } from "../../context.ts";
import { LEASE_MILLISECONDS } from "../../domain/payment/attempt.ts";
import type { FailureCode, Verdict } from "../../domain/payment/outcome.ts";
import { settlePayment } from "../../domain/payment/settle.ts";
import { isCharge, isOffSession, type Payment } from "../../domain/payment.ts";
import { AppError } from "../../errors.ts";
import type { Charge, SaveCard } from "../../payments/provider.ts";
import { organizations } from "../../store/organizations.ts";
import { paymentMethods } from "../../store/payment-methods.ts";
import { leasePayment, payments } from "../../store/payments.ts";
import { inAccount } from "../account.ts";
import { checkoutUrl, invoiceUrl } from "../links.ts";
import { providerOf } from "../work.ts";

/** The page of what is paid. A change's invoice is not there yet. */
function returnUrlOf(ctx: Context, { purpose, organizationId, sourceId: id }: Payment): string {
  if (purpose === "change") return ctx.config.publicOrigin;
  return (purpose === "checkout" || purpose === "setup" ? checkoutUrl : invoiceUrl)(ctx, { organizationId, id });
}

/**
 * The provider's word on a payment now. Charging twice with one key is one charge, so a pending one is simply sent (again), unless it was
 * recorded as one that is not sent at all (rule D6).
 */
async function ask(ctx: Context, payment: Payment): Promise<Verdict> {
  const { organizationId, id: key } = payment;
  if (payment.failureCode !== null) return { status: "declined", code: payment.failureCode as FailureCode };
  const { read: db } = ctx.db;
  const [organization, method] = await Promise.all([
    organizations.find(db, organizationId),
    paymentMethods.find(db, organizationId, payment.paymentMethodId),
  ]);
  const provider = organization && providerOf(ctx, organization);
  if (!provider) throw new Error(`payment ${key} has no provider`);
  if (!method) throw new Error(`payment ${key} has no card`);
  const save: SaveCard = { organizationId, key, card: method.providerRef, returnUrl: returnUrlOf(ctx, payment) };
  const presence = isOffSession(payment) ? "off_session" : "buyer";
  const charge: Charge | null = isCharge(payment) ? { ...save, amount: payment.amount, currency: payment.currency, presence } : null;
  if (payment.abandoned) return provider.cancel(charge ?? save);
  if (payment.status !== "pending") {
    const outcome = await provider.read(organizationId, key);
    if (outcome.status !== "absent") return outcome;
  }
  return charge ? provider.charge(charge) : provider.saveCard(save);
}

/** As `ask`; a provider or database that fails leaves the outcome unknown. */
export async function verdictOn(ctx: Context, payment: Payment): Promise<Verdict> {
  try {
    return await ask(ctx, payment);
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.error({ err: error, paymentId: payment.id }, "the payment provider failed");
    return { status: "unknown" };
  }
}

/**
 * Calls or asks the provider about one payment, with no transaction open, and settles it by the answer (rules D1, D2). May be run any
 * number of times and side by side: the provider's key makes one charge of it, the settlement finds it settled.
 */
export async function carryOutPayment(ctx: Context, organizationId: string, id: string): Promise<Payment> {
  const payment = await payments.find(ctx.db.read, organizationId, id);
  if (!payment) throw new Error(`no payment ${id}`);
  if (payment.settledAt !== null) return payment;
  const verdict = await verdictOn(ctx, payment);
  const key = { by: "payment", organizationId, id } as const;
  const settled = await ctx.db.tx((tx) => inAccount(ctx, tx, key, (account) => settlePayment(account, id, verdict), { deleted: true }));
  // An abandoned challenge is asked about once more at once: only the provider's answer to that is final.
  const giveUp = settled.status === "requires_action" && settled.abandoned && payment.status !== "requires_action";
  return giveUp ? carryOutPayment(ctx, organizationId, id) : settled;
}

/** `carryOutPayment` for the process that gets hold of the lease first; others go on with something else. */
export async function carryOutDuePayment(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  const leased = await ctx.db.tx((tx) => leasePayment(tx, organizationId, id, LEASE_MILLISECONDS));
  if (leased) await carryOutPayment(ctx, organizationId, id);
  return leased;
}
