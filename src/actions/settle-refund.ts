import type { Context } from "../context.ts";
import { instant, type Instant } from "../domain/calendar.ts";
import { creditNoteNumber } from "../domain/customer.ts";
import { refunded } from "../domain/ledger.ts";
import { creditNoteOf, type Refund } from "../domain/refund.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Outcome } from "../domain/payment/outcome.ts";
import { moveBalance } from "../store/balances.ts";
import { creditNotes } from "../store/credit-notes.ts";
import { countCreditNote } from "../store/customers.ts";
import { organizations } from "../store/organizations.ts";
import { leaseRefund, refunds } from "../store/refunds.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { LEASE_MILLISECONDS } from "./collect-invoice.ts";
import { givenBackOf } from "./given-back.ts";
import { post, readBill, type Bill } from "./issue-invoice.ts";
import { recordInvoice, recordRefund, recordSubscription } from "./record.ts";
import { delayAfter } from "./settle-payment.ts";
import { revokePurchaseGrants } from "./sync-grants.ts";
import { providerOf, workOnAnyone, type Work } from "./work.ts";

/** What the provider says of a refund now. Refunding twice with one key is one refund, so a pending one is simply sent (again). */
async function ask(ctx: Context, { organizationId, id: key, status, paymentId, amount }: Refund): Promise<Outcome> {
  const organization = await organizations.find(ctx.db.read, organizationId);
  const provider = organization && providerOf(ctx, organization);
  if (!provider || paymentId === null) throw new Error(`refund ${key} has no provider`);
  if (status === "unknown") {
    const outcome = await provider.read(organizationId, key);
    if (outcome.status !== "absent") return outcome;
  }
  return provider.refund({ organizationId, key, chargeKey: paymentId, amount });
}

/**
 * Calls or asks the provider about one refund, with no transaction open, and settles it by the answer (rules D1, D2). As with payments,
 * anybody may, any number of times and side by side.
 */
export async function carryOutRefund(ctx: Context, organizationId: string, id: string): Promise<void> {
  const refund = await refunds.find(ctx.db.read, organizationId, id);
  if (!refund) throw new Error(`no refund ${id}`);
  if (refund.settledAt !== null) return;
  let outcome: Outcome;
  try {
    outcome = await ask(ctx, refund);
  } catch (error) {
    if (!(error instanceof AppError)) ctx.log.error({ err: error, refundId: id }, "the payment provider failed");
    outcome = { status: "unknown" };
  }
  await settleRefund(ctx, refund, outcome);
}

/** `carryOutRefund` for whoever gets hold of the lease first; others go on with something else. */
export async function carryOutDueRefund(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  const leased = await ctx.db.tx((tx) => leaseRefund(tx, organizationId, id, LEASE_MILLISECONDS));
  if (leased) await carryOutRefund(ctx, organizationId, id);
  return leased;
}

/** Applies an outcome in one transaction; nothing when the refund was settled before. */
async function settleRefund(ctx: Context, { organizationId, id, customerId }: Refund, outcome: Outcome): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const work = await workOnAnyone(ctx, tx, organizationId, customerId);
    const refund = await refunds.lock(tx, organizationId, id);
    if (!work || !refund) throw new Error(`no refund ${id}`);
    if (refund.settledAt !== null) return;
    if (outcome.status === "succeeded") return succeed(work, refund, work.now);
    if (outcome.status === "declined") return fail(work, refund, work.now);
    // The money may or may not have gone back: the provider is asked until it says (rule D2).
    const checkAt = instant(work.realNow + delayAfter(refund.checks));
    await recordRefund(work, { ...refund, status: "unknown", checks: refund.checks + 1, checkAt }, null, work.now);
  });
}

async function succeed(work: Work, refund: Refund, at: Instant): Promise<void> {
  const bill = await readBill(work, refund.invoiceId);
  if (!bill) throw new Error(`refund ${refund.id} is of no invoice`);
  const settled: Refund = { ...refund, status: "succeeded", creditNoteId: newId("crn"), checkAt: null, settledAt: at };
  await applyRefund(work, bill, await recordRefund(work, settled, null, at), at);
}

/** Nothing was given back: it counts neither against the limit any more nor against what the period was billed at (rules I3, P). */
async function fail(work: Work, refund: Refund, at: Instant): Promise<void> {
  await recordRefund(work, { ...refund, status: "failed", checkAt: null, settledAt: at }, null, at);
  if (refund.rateLowered === 0) return;
  const bill = await readBill(work, refund.invoiceId);
  const subscription =
    bill?.invoice.subscriptionId && (await subscriptions.lock(work.tx, work.organization.id, bill.invoice.subscriptionId));
  if (!subscription || subscription.status === "canceled" || subscription.periodNumber !== refund.periodNumber) return;
  await recordSubscription(work, { ...subscription, paidRate: subscription.paidRate + refund.rateLowered }, null, at);
}

/** What a refund that succeeded brings about: the credit note, what its invoice shows, ledger, balance and grants (rule I3). */
export async function applyRefund(work: Work, { invoice, lines }: Bill, refund: Refund, at: Instant): Promise<void> {
  await issueCreditNote(work, { invoice, lines }, refund, at);
  post(work, "refund", refund.id, refund.currency, refunded(refund), at);
  if (refund.to === "balance") {
    const { organizationId, customerId, currency, amount, invoiceId } = refund;
    moveBalance(work.tx, { organizationId, customerId, currency, amount, reason: "refund", invoiceId, createdAt: at });
  }
  const next = { ...invoice, refundedAmount: invoice.refundedAmount + refund.amount };
  const back = await givenBackOf(work.tx, refund.organizationId, invoice.id);
  await recordInvoice(work, next, lines, "invoice.refunded", at, null, back);
  if (refund.revokeGrants) await revokePurchaseGrants(work, invoice.id, "refunded", at);
}

/** Numbered in the transaction of the refund's success, so that no number is missing; seller and buyer are the invoice's. */
async function issueCreditNote(work: Work, { invoice, lines }: Bill, refund: Refund, at: Instant): Promise<void> {
  const { tx, organization, customer } = work;
  if (refund.creditNoteId === null) throw new Error(`refund ${refund.id} has not succeeded`);
  creditNotes.insert(tx, {
    organizationId: organization.id,
    id: refund.creditNoteId,
    number: creditNoteNumber(organization.invoicePrefix, customer.id, await countCreditNote(tx, organization.id, customer.id)),
    customerId: customer.id,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    refundId: refund.id,
    currency: refund.currency,
    ...creditNoteOf(refund.lines, lines),
    seller: invoice.seller,
    buyer: invoice.buyer,
    createdAt: at,
  });
}
