import type { Context } from "../context.ts";
import type { Checkout } from "../domain/checkout.ts";
import { creditAtEnd, type Ending } from "../domain/credit-at-end.ts";
import { deletedCustomer } from "../domain/customer.ts";
import { writtenOff } from "../domain/ledger.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import { customerETag } from "../resources/customer.ts";
import { forgetCustomer } from "../store/accounts/forget.ts";
import { listBalances, moveBalance } from "../store/balances.ts";
import { grantingPurchases } from "../store/benefit-grants.ts";
import { lockOpenCheckouts } from "../store/checkouts.ts";
import { patient } from "../store/db.ts";
import { linesOf, waitingLines } from "../store/invoice-lines.ts";
import { openInvoicesOf } from "../store/invoices.ts";
import { openPaymentsOf } from "../store/payments.ts";
import { liveOfCustomer } from "../store/subscriptions.ts";
import { commitNow, type Answer, type Call } from "./answer.ts";
import { endSubscription } from "./end-subscription.ts";
import { paymentInProgress, requireNoChallenge, withoutChallenge } from "./invoice-work.ts";
import { post, readHolds } from "./issue-invoice.ts";
import { recordCheckout, recordCustomer } from "./record.ts";
import { runDue } from "./run-due.ts";
import { revokePurchaseGrants } from "./sync-grants.ts";
import { workOn, type Work } from "./work.ts";

/**
 * `DELETE /customers/{id}`: nothing of theirs goes on, and nothing but issued documents tells who they were (rule I5). `forfeit`: what
 * they have in their favour is written off.
 * @throws AppError 404, 409 `balance_left` with the amounts, `payment_in_progress` while a payment of theirs is not settled, 412
 */
export async function deleteCustomer(
  ctx: Context,
  call: Call,
  id: string,
  forfeit: boolean,
  match: (etag: string) => void,
): Promise<Answer> {
  // The stored answers of a day are looked through.
  const commitDeletion = () =>
    commitNow({ ...ctx, db: patient(ctx.db) }, call, async (tx) => {
      const work = await workOn(ctx, tx, call.organizationId, id);
      if (!work) throw new AppError("not_found");
      match(customerETag(work.customer));
      await runDue(work);
      const challenge = await requireSettled(work);
      // Before a challenge is given up: who is refused finds everything as it was.
      if (!forfeit) await requireNoCredit(work);
      requireNoChallenge({ challenge });
      await endEverything(work);
      await writeOff(work);
      forgetCustomer(tx, call.organizationId, id);
      await recordCustomer(tx, deletedCustomer(work.customer, work.now), "customer.deleted", work.now);
      return { status: 204, headers: {}, body: "" };
    });
  return withoutChallenge(ctx, commitDeletion);
}

/** No money may arrive afterwards. Who pays a Checkout right now is waited for; an invoice's challenge, for which nobody comes, is not. */
async function requireSettled({ tx, organization, customer }: Work): Promise<Payment | null> {
  const payments = await openPaymentsOf(tx, organization.id, customer.id);
  if (payments.some(({ status, invoiceId }) => status !== "requires_action" || invoiceId === null)) throw paymentInProgress();
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
