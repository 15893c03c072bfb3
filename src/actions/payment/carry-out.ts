import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Part } from "../../domain/account/parts.ts";
import { LEASE_MILLISECONDS } from "../../domain/payment/attempt.ts";
import type { FailureCode, Verdict } from "../../domain/payment/outcome.ts";
import { settlePayment } from "../../domain/payment/settle.ts";
import { isCharge, isOffSession, type Payment } from "../../domain/payment/payment.ts";
import { AppError } from "../../errors.ts";
import type { Charge, SaveCard } from "../../payments/provider.ts";
import type { RowKey } from "../../store/accounts/keys.ts";
import { findAllChargeable, findChargeable, leasePayments, type ChargeablePayment } from "../../store/payments.ts";
import { decideAccounts, inAccount } from "../account.ts";
import { inHalves, type Swept } from "../batch.ts";
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
async function ask(ctx: Context, payment: ChargeablePayment): Promise<Verdict> {
  const { organizationId, id: key, card } = payment;
  if (payment.failureCode !== null) return { status: "declined", code: payment.failureCode as FailureCode };
  const provider = providerOf(ctx, payment);
  if (!provider) throw new Error(`payment ${key} has no provider`);
  const save: SaveCard = { organizationId, key, card, returnUrl: returnUrlOf(ctx, payment) };
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
async function verdictOn(ctx: Context, payment: ChargeablePayment): Promise<Verdict> {
  try {
    return await ask(ctx, payment);
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.error({ err: error, paymentId: payment.id }, "the payment provider failed");
    return { status: "unknown" };
  }
}

/** An abandoned challenge is asked about once more at once: only the provider's answer to that is final. */
const isToGiveUp = (before: Payment, settled: Payment) =>
  settled.status === "requires_action" && settled.abandoned && before.status !== "requires_action";

/**
 * Calls or asks the provider about one payment, with no transaction open, and settles it by the answer (rules D1, D2). May be run any
 * number of times and side by side: the provider's key makes one charge of it, the settlement finds it settled. `parts`: those that the
 * settlement is known to need, the books among them.
 */
export async function carryOutPayment(
  ctx: Context,
  organizationId: string,
  id: string,
  parts?: readonly Part[],
): Promise<Payment> {
  const payment = await findChargeable(ctx.db.read, organizationId, id);
  if (!payment) throw new Error(`no payment ${id}`);
  if (payment.settledAt !== null) return payment;
  const verdict = await verdictOn(ctx, payment);
  const key = { by: "payment", organizationId, id } as const;
  const options = { deleted: true, ...(parts && { parts }) };
  const settled = await ctx.db.tx((tx) => inAccount(ctx, tx, key, (account) => settlePayment(account, id, verdict), options));
  return isToGiveUp(payment, settled) ? carryOutPayment(ctx, organizationId, id, parts) : settled;
}

/** Outcomes wait so long at most to be settled with others: a call that hangs keeps no other payment from being settled. */
const SETTLE_MILLISECONDS = 250;

type Asked = { payment: ChargeablePayment; verdict: Verdict };

/**
 * Settles payments by their verdicts, all of them in one transaction, and those of one Customer in the order in which they were recorded:
 * the provider's calls are answered in any order.
 */
function settleAll(ctx: Context, asked: readonly Asked[]): Promise<Swept[]> {
  const recorded = asked.toSorted((one, other) => (one.payment.id < other.payment.id ? -1 : 1));
  const byCustomer = Map.groupBy(recorded, ({ payment }) => `${payment.organizationId} ${payment.customerId}`);
  const firsts = [...byCustomer.values()].map(([first]) => first!.payment);
  const customers = firsts.map(({ organizationId, customerId }) => ({ organizationId, id: customerId }));
  const settle = (account: Account) => {
    const own = byCustomer.get(`${account.customer.organizationId} ${account.customer.id}`)!;
    for (const { payment, verdict } of own) {
      if (isToGiveUp(payment, settlePayment(account, payment.id, verdict))) toGiveUp.add(payment);
    }
    return own.length;
  };
  const toGiveUp = new Set<ChargeablePayment>();
  return inHalves(customers, (ids) =>
    ctx.db.tx(async (tx) => {
      const decided = await decideAccounts(ctx, tx, { ids }, settle);
      return decided.map((each) => {
        const key = { organizationId: each.organizationId, id: each.id };
        return "error" in each ? { ...key, error: each.error } : { ...key, done: each.value };
      });
    }),
  ).then(async (swept) => {
    for (const { organizationId, id } of toGiveUp) await carryOutPayment(ctx, organizationId, id);
    return swept;
  });
}

/**
 * `carryOutPayment` of those of these payments that are due and that no other process has: the provider is called side by side, as it
 * allows, and the outcomes are settled together. Answers for each Customer how many were settled.
 */
export async function carryOutPayments(ctx: Context, keys: readonly RowKey[]): Promise<Swept[]> {
  return askAndSettle(ctx, await ctx.db.tx((tx) => leasePayments(tx, keys, LEASE_MILLISECONDS)));
}

/** Asks about all payments side by side, and settles the outcomes as they come, in groups. */
async function askAndSettle(ctx: Context, payments: readonly ChargeablePayment[]): Promise<Swept[]> {
  const answered: Asked[] = [];
  const asking = Promise.all(payments.map(async (payment) => answered.push({ payment, verdict: await verdictOn(ctx, payment) })));
  const swept: Swept[] = [];
  for (let settled = 0; settled < payments.length;) {
    await Promise.race([asking, sleep(SETTLE_MILLISECONDS)]);
    const some = answered.slice(settled);
    settled += some.length;
    if (some.length > 0) swept.push(...(await settleAll(ctx, some)));
  }
  return swept;
}

/**
 * `carryOutPayment` of many payments of an Organization at once, whether or not another process has them.
 * @throws the first of the errors by which a payment could not be settled; the others are settled
 */
export async function carryOutAll(ctx: Context, organizationId: string, ids: readonly string[]): Promise<void> {
  const swept = await askAndSettle(ctx, await findAllChargeable(ctx.db.read, organizationId, ids));
  for (const each of swept) if ("error" in each) throw each.error;
}
