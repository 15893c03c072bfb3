import type { Context } from "../context.ts";
import type { Checkout } from "../domain/checkout.ts";
import { creditAtEnd, type Ending } from "../domain/credit-at-end.ts";
import { BLANK_CUSTOMER, deletedCustomer, type Customer } from "../domain/customer.ts";
import { BLANK_PARTY } from "../domain/invoice.ts";
import { writtenOff } from "../domain/ledger.ts";
import { isForInvoice, type Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { forgetNotes, listBalances, moveBalance } from "../store/balances.ts";
import { grantingPurchases } from "../store/benefit-grants.ts";
import { forgetBuyers, lockOpenCheckouts } from "../store/checkouts.ts";
import { patient } from "../store/db.ts";
import { blankEmails } from "../store/emails.ts";
import { blankEvents } from "../store/events.ts";
import { linesOf, waitingLines } from "../store/invoice-lines.ts";
import { openInvoicesOf } from "../store/invoices.ts";
import { withholdAnswers } from "../store/idempotency.ts";
import { forgetDevices } from "../store/licenses.ts";
import { detachCards } from "../store/payment-methods.ts";
import { openPaymentsOf } from "../store/payments.ts";
import { forgetVisits } from "../store/portal.ts";
import { forgetReasons } from "../store/refunds.ts";
import { forgetSubscribers, liveOfCustomer } from "../store/subscriptions.ts";
import { endSubscription } from "./end-subscription.ts";
import { paymentInProgress, requireNoChallenge, withoutChallenge } from "./invoice-work.ts";
import { post, readHolds } from "./issue-invoice.ts";
import type { Match, Origin } from "./origin.ts";
import { recordCheckout, recordCustomer } from "./record.ts";
import { runDue } from "./run-due.ts";
import { revokePurchaseGrants } from "./sync-grants.ts";
import { workOn, type Work } from "./work.ts";

/** What events of Checkouts, Subscriptions, grants and invoices tell of whom they belong to; the invoices themselves keep it. */
const BLANK_RELATED = {
  externalCustomerId: null,
  cancellationComment: null,
  buyer: BLANK_PARTY,
};

/**
 * `DELETE /customers/{id}`: nothing of theirs goes on, and nothing but issued documents tells who they were (rule I5). `forfeit`: what
 * they have in their favour is written off.
 * @throws AppError 404, 409 `balance_left` with the amounts, `payment_in_progress` while a payment of theirs is not settled, 412
 */
export async function deleteCustomer(
  ctx: Context,
  origin: Origin<void>,
  id: string,
  forfeit: boolean,
  match?: Match<Customer>,
): Promise<void> {
  // The stored answers of a day are looked through.
  const commitDeletion = () =>
    origin.transaction({ ...ctx, db: patient(ctx.db) }, async (tx) => {
      const work = await workOn(ctx, tx, origin.organizationId, id);
      if (!work) throw new AppError("not_found");
      match?.(work.customer);
      await runDue(work);
      const challenge = await requireSettled(work);
      // Before a challenge is given up: who is refused finds everything as it was.
      if (!forfeit) await requireNoCredit(work);
      requireNoChallenge({ challenge });
      await endEverything(work);
      await writeOff(work);
      forget(work);
      await recordCustomer(tx, deletedCustomer(work.customer, work.now), "customer.deleted", work.now);
    });
  return withoutChallenge(ctx, commitDeletion);
}

/** No money may arrive afterwards. Who pays a Checkout right now is waited for; an invoice's challenge, for which nobody comes, is not. */
async function requireSettled({ tx, organization, customer }: Work): Promise<Payment | null> {
  const payments = await openPaymentsOf(tx, organization.id, customer.id);
  if (payments.some((payment) => payment.status !== "requires_action" || !isForInvoice(payment))) throw paymentInProgress();
  return payments[0] ?? null;
}

/** Names the credit that would be written off, and changes no row. */
async function requireNoCredit({ tx, organization, customer }: Work): Promise<void> {
  const endings: Ending[] = [];
  for (const { id, currency } of await liveOfCustomer(tx, organization.id, customer.id)) {
    const open = await openInvoicesOf(tx, organization.id, id);
    const bills = open.map(async (invoice) => ({ invoice, lines: await linesOf(tx, organization.id, invoice.id) }));
    endings.push({ currency, waiting: await waitingLines(tx, organization.id, id), open: await Promise.all(bills) });
  }
  const [owned, holds] = await Promise.all([
    listBalances(tx, organization.id, customer.id),
    readHolds(tx, organization.id, customer.id),
  ]);
  const balances = creditAtEnd(owned, endings, holds);
  if (balances.length > 0) throw new AppError("balance_left", { extra: { balances } });
}

async function endEverything(work: Work): Promise<void> {
  const { tx, organization, customer, now } = work;
  for (const subscription of await liveOfCustomer(tx, organization.id, customer.id)) {
    await endSubscription(work, subscription, "customer_deleted", now);
  }
  for (const invoiceId of await grantingPurchases(tx, organization.id, customer.id)) {
    await revokePurchaseGrants(work, invoiceId, "customer_deleted", now);
  }
  for (const checkout of await lockOpenCheckouts(tx, organization.id, customer.id)) await expire(work, checkout);
}

/** One that is past its time already expires as of then (rule C5). */
async function expire(work: Work, checkout: Checkout): Promise<void> {
  const expiresAt = checkout.expiresAt < work.now ? checkout.expiresAt : work.now;
  await recordCheckout(work, { ...checkout, status: "expired", expiresAt, dueAt: null }, "checkout.expired", expiresAt);
}

async function writeOff(work: Work): Promise<void> {
  const { tx, organization, customer, now } = work;
  const common = { organizationId: organization.id, customerId: customer.id, invoiceId: null, createdAt: now };
  for (const { currency, amount } of await listBalances(tx, organization.id, customer.id)) {
    const entry = moveBalance(tx, { ...common, currency, amount: -amount, reason: "written_off" });
    if (entry) post(work, "balance_written_off", entry.id, currency, writtenOff(amount), now);
  }
}

/** Events that this very deletion told are blank as well. */
function forget({ tx, organization, customer }: Work): void {
  blankEvents(tx, organization.id, customer.id, { own: BLANK_CUSTOMER, related: BLANK_RELATED, refunds: { reason: null } });
  blankEmails(tx, organization.id, customer.id);
  forgetVisits(tx, organization.id, customer.id);
  withholdAnswers(tx, organization.id, customer.id);
  forgetBuyers(tx, organization.id, customer.id);
  forgetSubscribers(tx, organization.id, customer.id);
  forgetNotes(tx, organization.id, customer.id);
  forgetReasons(tx, organization.id, customer.id);
  forgetDevices(tx, organization.id, customer.id);
  detachCards(tx, organization.id, customer.id);
}
