import type { Context } from "../context.ts";
import { instant } from "../domain/calendar.ts";
import { isCharge, isOffSession, type Payment, type Purpose } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { HARD_DECLINES, type FailureCode, type Outcome } from "../domain/payment/outcome.ts";
import type { Charge, SaveCard } from "../payments/provider.ts";
import { newId } from "../ids.ts";
import { checkouts } from "../store/checkouts.ts";
import { clearDisputedCard } from "../store/disputes.ts";
import { paymentMethods } from "../store/payment-methods.ts";
import { leasePayment, payments, postponePayment } from "../store/payments.ts";
import { organizations } from "../store/organizations.ts";
import { settleChange } from "./settle-change.ts";
import { settleCheckout } from "./settle-checkout.ts";
import { settleInvoice } from "./settle-invoice.ts";
import { keepManualAnswer } from "./settle-manual.ts";
import { settleOnPage } from "./settle-on-page.ts";
import { LEASE_MILLISECONDS } from "./collect-invoice.ts";
import { checkoutUrl, invoiceUrl } from "./links.ts";
import { recordPayment } from "./record.ts";
import { leftAtRest, runDueAtRest } from "./run-due.ts";
import { providerOf, workOnAnyone, type Work } from "./work.ts";

const FIRST_DELAY_MILLISECONDS = 1_000;
const LAST_DELAY_MILLISECONDS = 3_600_000;

/** 1 s, 2 s, 4 s … 1 h until the provider is asked again. */
export function delayAfter(checks: number): number {
  return Math.min(FIRST_DELAY_MILLISECONDS * 2 ** Math.min(checks, 20), LAST_DELAY_MILLISECONDS);
}

/** The page of what is paid. A change's invoice is not there yet. */
function returnUrlOf(ctx: Context, { purpose, organizationId, sourceId: id }: Payment): string {
  if (purpose === "change") return ctx.config.publicOrigin;
  return (purpose === "checkout" || purpose === "setup" ? checkoutUrl : invoiceUrl)(ctx, { organizationId, id });
}

/** The provider's answer, or the decision that was made without a call to it. */
type Verdict = Outcome | { status: "declined"; code: FailureCode };

/**
 * What the provider says of a payment now. Charging twice with one key is one charge, so a pending one is simply sent (again), unless it
 * was recorded as one that is not sent at all.
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

/**
 * Calls or asks the provider about one payment, with no transaction open, and settles it by the answer (rules D1, D2). May be run by
 * anybody, any number of times and side by side: the provider's key makes one charge of it, the settlement finds it settled.
 * A provider or database that fails leaves it as it is, due again later.
 */
export async function carryOutPayment(ctx: Context, organizationId: string, id: string): Promise<Payment> {
  const payment = await payments.find(ctx.db.read, organizationId, id);
  if (!payment) throw new Error(`no payment ${id}`);
  if (payment.settledAt !== null) return payment;
  let outcome: Verdict;
  try {
    outcome = await ask(ctx, payment);
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.error({ err: error, paymentId: id }, "the payment provider failed");
    outcome = { status: "unknown" };
  }
  const settled = await settlePayment(ctx, payment, outcome);
  // An abandoned challenge is asked about once more at once: only the provider's answer to that is final.
  const giveUp = settled.status === "requires_action" && settled.abandoned && payment.status !== "requires_action";
  return giveUp ? carryOutPayment(ctx, organizationId, id) : settled;
}

/** `carryOutPayment` for whoever gets hold of the lease first; others go on with something else. */
export async function carryOutDuePayment(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  const leased = await ctx.db.tx((tx) => leasePayment(tx, organizationId, id, LEASE_MILLISECONDS));
  if (leased) await carryOutPayment(ctx, organizationId, id);
  return leased;
}

/** Applies an outcome to the payment and to what it was for, in one transaction; nothing when it was settled before. */
async function settlePayment(ctx: Context, { organizationId, id, customerId }: Payment, outcome: Verdict): Promise<Payment> {
  return ctx.db.tx(async (tx) => {
    const work = await workOnAnyone(ctx, tx, organizationId, customerId);
    const payment = await payments.lock(tx, organizationId, id);
    if (!work || !payment) throw new Error(`no payment ${id}`);
    if (payment.settledAt !== null) return payment;
    if (outcome.status === "unknown") return noteUnknown(work, payment);
    if (outcome.status === "requires_action") return noteAction(work, payment, outcome.url);
    const at = work.now;
    const succeeded = outcome.status === "succeeded";
    const settled: Payment = {
      ...(succeeded ? await withWhatItBuys(work, payment) : payment),
      status: succeeded ? "succeeded" : "failed",
      failureCode: outcome.status === "declined" ? outcome.code : null,
      checkAt: null,
      settledAt: at,
    };
    const next = await recordPayment(work, settled, succeeded ? "payment.succeeded" : "payment.failed", at);
    if (outcome.status === "declined" && HARD_DECLINES.has(outcome.code)) await markDead(work, payment.paymentMethodId);
    // Before anything else is charged to it: paying with a card in the buyer's presence ends what disputes held back (rule D6).
    if (succeeded && isCharge(payment) && !isOffSession(payment))
      clearDisputedCard(tx, organizationId, customerId, payment.paymentMethodId, at);
    await settleSource(work, next);
    return next;
  });
}

/** What a payment brings about is named before it is made, so that its event can tell. */
async function withWhatItBuys(work: Work, payment: Payment): Promise<Payment> {
  const { purpose } = payment;
  if (purpose === "change") return { ...payment, invoiceId: newId("inv") };
  if (purpose !== "checkout" && purpose !== "setup") return payment;
  const checkout = await checkouts.find(work.tx, work.organization.id, payment.sourceId);
  const subscriptionId = checkout?.change ? checkout.subscriptionId : checkout?.interval ? newId("sub") : null;
  return { ...payment, invoiceId: purpose === "checkout" ? newId("inv") : null, subscriptionId };
}

/** The charge may or may not have been made: nothing else may be tried before the provider says (rule D2). */
async function noteUnknown(work: Work, payment: Payment): Promise<Payment> {
  if (payment.status === "pending") {
    const next: Payment = { ...payment, status: "unknown", checks: 1, checkAt: instant(work.realNow + delayAfter(0)) };
    return recordPayment(work, next, null, work.now);
  }
  await postponePayment(work.tx, payment.organizationId, payment.id, delayAfter(payment.checks));
  return payment;
}

/** The buyer has to authenticate. Told once; the attempt stays alive until the buyer answers or nobody waits any more. */
async function noteAction(work: Work, payment: Payment, url: string): Promise<Payment> {
  if (payment.status === "requires_action") {
    await postponePayment(work.tx, payment.organizationId, payment.id, delayAfter(payment.checks));
    return payment;
  }
  const waiting: Payment = {
    ...payment,
    status: "requires_action",
    actionUrl: url,
    abandoned: payment.abandoned || payment.purpose === "change",
    checks: payment.checks + 1,
    checkAt: instant(work.realNow + delayAfter(2)),
  };
  // A change gives its challenge up at once (rule P1): there is nothing for the buyer to do.
  const event = waiting.purpose === "change" ? null : "payment.action_required";
  const next = await recordPayment(work, waiting, event, work.now);
  await settleSource(work, next);
  return next;
}

async function markDead(work: Work, paymentMethodId: string): Promise<void> {
  const method = await paymentMethods.find(work.tx, work.organization.id, paymentMethodId);
  if (method) paymentMethods.update(work.tx, { ...method, dead: true });
}

async function settleByHand(work: Work, payment: Payment): Promise<void> {
  await settleInvoice(work, payment);
  await keepManualAnswer(work, payment);
}

const SETTLE: Record<Purpose, (work: Work, payment: Payment) => Promise<void>> = {
  checkout: settleCheckout,
  setup: settleCheckout,
  change: settleChange,
  renewal: settleInvoice,
  retry: settleInvoice,
  new_card: settleInvoice,
  page: settleOnPage,
  hand: settleByHand,
  last_invoice: settleInvoice,
};

/** Tells what was paid for: the Checkout, the change or the invoice. What had waited for it may be due since. */
async function settleSource(work: Work, payment: Payment): Promise<void> {
  const left = await leftAtRest(work);
  await SETTLE[payment.purpose](work, payment);
  await runDueAtRest(work, left);
}
