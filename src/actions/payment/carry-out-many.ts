import { atMost } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { FailureCode, Outcome } from "../../domain/model/payment-outcome.ts";
import { settlePayment } from "../../domain/settlement/settle.ts";
import type { RowKey } from "../../store/customer-billing/keys.ts";
import { holdPayments } from "../../store/payment-pauses.ts";
import { findAllChargeable, leasePayments, type ChargeablePayment } from "../../store/payments.ts";
import { decideBillings } from "../customer-billing.ts";
import { inHalves, inShares, type Swept } from "../batch.ts";
import { carryOutPayment, isToGiveUp } from "./carry-out.ts";
import { outcomeOf } from "./outcome.ts";

/**
 * An outcome waits at most this long for the outcomes of other payments, so that one hanging call does not delay the
 * other payments.
 */
const SETTLE_MILLISECONDS = 250;

/**
 * An advance settles the outcomes of a slice in this many transactions at the same time, each for different Customers.
 * PostgreSQL works on one transaction while this process decides on the other. With one transaction, both of two cores
 * were idle for half of the time. Three transactions were slower than two.
 */
const AT_ONCE = 2;

type Answered = { payment: ChargeablePayment; outcome: Outcome<FailureCode> | null };
type Asked = Answered & { outcome: Outcome<FailureCode> };

/**
 * Settles payments by the provider's outcomes, all payments in one transaction. The payments of one Customer are
 * settled in the order in which they were recorded, because the provider may answer calls in any order.
 */
function settleAll(ctx: Context, asked: readonly Asked[]): Promise<Swept[]> {
  const recorded = asked.toSorted((one, other) => (one.payment.id < other.payment.id ? -1 : 1));
  const byCustomer = Map.groupBy(recorded, ({ payment }) => `${payment.organizationId} ${payment.customerId}`);
  const firsts = [...byCustomer.values()].map(([first]) => first!.payment);
  const customers = firsts.map(({ organizationId, customerId }) => ({ organizationId, id: customerId }));
  const settle = (billing: CustomerBilling) => {
    const own = byCustomer.get(`${billing.customer.organizationId} ${billing.customer.id}`)!;
    for (const { payment, outcome } of own) {
      if (isToGiveUp(payment, settlePayment(billing, payment.id, outcome))) toGiveUp.add(payment);
    }
    return own.length;
  };
  const toGiveUp = new Set<ChargeablePayment>();
  return inHalves(customers, (ids) =>
    ctx.db.tx(async (tx) => {
      const decided = await decideBillings(ctx, tx, { ids }, settle);
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
 * Does the same as `carryOutPayment` for those payments that are due and not leased by another process. The calls to
 * the provider run at the same time, within the provider's limits, and the outcomes are settled in groups. Returns for
 * each Customer how many payments were settled.
 */
export async function carryOutPayments(ctx: Context, keys: readonly RowKey[]): Promise<Swept[]> {
  return askAndSettle(ctx, await ctx.db.tx((tx) => leasePayments(tx, keys)));
}

/** Asks the provider about all payments at the same time, and settles the outcomes in groups as they arrive. */
async function askAndSettle(ctx: Context, payments: readonly ChargeablePayment[]): Promise<Swept[]> {
  const answered: Answered[] = [];
  const asking = Promise.all(
    payments.map(async (payment) => answered.push({ payment, outcome: await outcomeOf(ctx, payment, "due") })),
  );
  const swept: Swept[] = [];
  for (let settled = 0; settled < payments.length;) {
    await atMost(SETTLE_MILLISECONDS, asking);
    const some = answered.slice(settled);
    settled += some.length;
    const held = some.filter(({ outcome }) => outcome === null);
    if (held.length > 0) await holdAll(ctx, held);
    const asked = some.filter((each): each is Asked => each.outcome !== null);
    if (asked.length > 0) swept.push(...(await settleAll(ctx, asked)));
  }
  return swept;
}

/** The payments of a paused account stay as they are (rule D9). */
const holdAll = (ctx: Context, held: readonly Answered[]) =>
  ctx.db.tx((tx) =>
    holdPayments(
      tx,
      held.map(({ payment }) => payment),
    ),
  );

/**
 * Does the same as `carryOutPayment` for many payments of an Organization at once, even if another process has leased
 * them.
 * @throws the first error that kept a payment from being settled; the other payments are settled
 */
export async function carryOutAll(ctx: Context, organizationId: string, ids: readonly string[]): Promise<void> {
  const found = await findAllChargeable(ctx.db.read, organizationId, ids);
  const byCustomer = [...Map.groupBy(found, ({ customerId }) => customerId).values()];
  const shares = inShares(byCustomer, AT_ONCE);
  const swept = await Promise.all(shares.map((share) => askAndSettle(ctx, share.flat())));
  for (const each of swept.flat()) if ("error" in each) throw each.error;
}
