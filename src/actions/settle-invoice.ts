import type { Instant } from "../domain/calendar.ts";
import { planFailure } from "../domain/dunning.ts";
import { isNewerCard, purposeOfNext, type InvoicePurpose, type Payment, type PaymentMethod } from "../domain/payment.ts";
import { nextStatus, NO_DUNNING, type Subscription } from "../domain/subscription.ts";
import { openInvoicesOf, planAttempt } from "../store/invoices.ts";
import { paymentMethods } from "../store/payment-methods.ts";
import { liveAttempt } from "../store/payments.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { abandonAttempt, cardOf, collectInvoice } from "./collect-invoice.ts";
import { endSubscription, voidAtEnd } from "./end-subscription.ts";
import { bankUnapplied, payInvoice, readBill, type Bill } from "./issue-invoice.ts";
import { recordInvoice, recordSubscription } from "./record.ts";
import { syncSubscriptionGrants } from "./sync-grants.ts";
import type { Work } from "./work.ts";

/** Carries an invoice and its Subscription on by the outcome of a charge (rules D3, S5). */
export async function settleInvoice(work: Work, payment: Payment): Promise<void> {
  const bill = await readBill(work, payment.sourceId);
  const subscription = bill?.invoice.subscriptionId
    ? await subscriptions.find(work.tx, work.organization.id, bill.invoice.subscriptionId)
    : null;
  if (!bill || !subscription) throw new Error(`payment ${payment.id} is for no invoice of a subscription`);
  const at = work.now;
  if (payment.status === "requires_action") return requireAction(work, bill, subscription, payment, at);
  if (payment.status === "succeeded") return invoicePaid(work, bill, subscription, payment, at);
  if (subscription.status === "canceled") return voidAtEnd(work, subscription, bill, at);
  if (payment.abandoned) return goOn(work, subscription, payment, at);
  // A challenge was counted as a failure when it was asked for (rule D2), so failing it is not another one.
  if (payment.actionUrl !== null) return;
  return chargeFailed(work, bill, subscription, payment, at);
}

/** At a renewal a challenge counts as a failure, and the link goes to the buyer; passing it still pays (rule D2). */
async function requireAction(work: Work, bill: Bill, subscription: Subscription, payment: Payment, at: Instant): Promise<void> {
  // A last invoice that needs the buyer is given up: they have no reason to come (rule S4).
  if (subscription.status === "canceled") return abandonAttempt(work, payment, at);
  await chargeFailed(work, bill, subscription, payment, at);
}

async function invoicePaid(work: Work, bill: Bill, subscription: Subscription, payment: Payment, at: Instant): Promise<void> {
  // The last invoice, made at the end itself, is still owed then; what the end gave up is void (rules S4, S5).
  if (subscription.status === "canceled" && payment.abandoned && payment.purpose !== "last_invoice") {
    await voidAtEnd(work, subscription, bill, at);
    return bankUnapplied(work, bill.invoice, payment.id, payment.amount, at);
  }
  await payInvoice(work, bill, at);
  if (subscription.status === "past_due") await payNext(work, subscription, payment, at);
  if (subscription.status === "active") await payOldest(work, subscription, at);
}

/**
 * Charges the oldest open invoice of a Subscription that is not past due. While that is being paid the periods after it wait: a card that
 * declines is not asked once for each period that was missed (rule T4).
 */
export async function payOldest(work: Work, subscription: Subscription, at: Instant): Promise<void> {
  const { tx, organization } = work;
  const [[oldest], method] = await Promise.all([openInvoicesOf(tx, organization.id, subscription.id), cardOf(work, subscription)]);
  if (!oldest || (await liveAttempt(tx, organization.id, oldest.id))) return;
  if (method) return void (await collectInvoice(work, oldest, method, "renewal", at));
  const bill = await readBill(work, oldest.id);
  if (bill) await chargeFailed(work, bill, subscription, { purpose: "renewal" }, at);
}

/** After one of a Subscription's invoices, the next: oldest first (rule D3). */
async function payNext(work: Work, subscription: Subscription, { purpose, paymentMethodId }: Payment, at: Instant): Promise<void> {
  const [oldest] = await openInvoicesOf(work.tx, work.organization.id, subscription.id);
  if (!oldest) return recover(work, subscription, at);
  const live = await liveAttempt(work.tx, work.organization.id, oldest.id);
  // A retry that is under way goes on, whoever paid this one: nothing else would plan the next.
  if (subscription.nextRetryAt === null) {
    if (live?.purpose !== "retry") await retryInvoices(work, subscription, at, "retry");
    return;
  }
  const method = await cardOf(work, subscription);
  // By hand exactly that one is paid which was asked for; but where it was given up for a new card, that card is tried (rule D3).
  if (!method || (purpose === "hand" && method.id === paymentMethodId)) return;
  // Where the next one is being paid already, its own outcome carries on; only a challenge of an older card is given up for this one.
  if (live?.status === "requires_action" && (await isNewer(work, method, live.paymentMethodId))) return abandonAttempt(work, live, at);
  if (live) return;
  await collectInvoice(work, oldest, method, purposeOfNext(purpose), at);
}

async function isNewer({ tx, organization }: Work, card: PaymentMethod, thanId: string): Promise<boolean> {
  return isNewerCard(card, (await paymentMethods.find(tx, organization.id, thanId))!);
}

/** What an attempt was given up for: a retry that was due, or a new card. For an operator's hand nothing follows by itself. */
async function goOn(work: Work, subscription: Subscription, { purpose, paymentMethodId }: Payment, at: Instant): Promise<void> {
  if (subscription.nextRetryAt === null) return retryInvoices(work, subscription, at, "retry");
  const method = await cardOf(work, subscription);
  // The card on file is not the one that was given on the page; it has had its turn unless it was given since.
  const isNew = purpose === "page" ? method !== null && (await isNewer(work, method, paymentMethodId)) : method?.id !== paymentMethodId;
  if (isNew) await retryInvoices(work, subscription, at, "new_card");
}

/** What was owed is paid, or given up: where nothing is open any more, the Subscription recovers. */
export async function recoverIfPaid(work: Work, subscription: Subscription, at: Instant): Promise<void> {
  if (subscription.status !== "past_due") return;
  const open = await openInvoicesOf(work.tx, work.organization.id, subscription.id);
  if (open.length === 0) await recover(work, subscription, at);
}

/** Everything owed is paid: dunning is over, what was revoked comes back (rule S). */
async function recover(work: Work, subscription: Subscription, at: Instant): Promise<void> {
  const recovered: Subscription = { ...subscription, ...NO_DUNNING, status: nextStatus(subscription.status, "all_paid") };
  const next = await recordSubscription(work, recovered, "subscription.recovered", at);
  await syncSubscriptionGrants(work, next, "payment_recovered", at);
}

/** A charge failed or needs the buyer, which is `attempt`; or there is no card to charge: then it is what would have been tried. */
export async function chargeFailed(
  work: Work,
  bill: Bill,
  subscription: Subscription,
  attempt: Payment | { purpose: InvoicePurpose },
  at: Instant,
): Promise<void> {
  const plan = planFailure(subscription, attempt.purpose, work.organization, at);
  const exhausted = "exhausted" in plan;
  const next = exhausted ? subscription : { ...subscription, ...plan.change };
  await recordInvoice(
    work,
    { ...bill.invoice, nextAttemptAt: exhausted ? null : next.nextRetryAt },
    bill.lines,
    "invoice.payment_failed",
    at,
    "id" in attempt ? attempt : null,
  );
  if (exhausted) return endSubscription(work, next, "dunning_exhausted", at, { reason: "payment_failed" });
  await recordSubscription(work, next, plan.event, at);
  planAttempt(work.tx, work.organization.id, subscription.id, next.nextRetryAt);
}

/**
 * A scheduled retry, or a new card: the open invoices are paid oldest first (rule D3). A challenge that still waits for the buyer is
 * given up before, so that it can't charge beside the new attempt.
 */
export async function retryInvoices(work: Work, subscription: Subscription, at: Instant, purpose: "retry" | "new_card"): Promise<void> {
  const [oldest] = await openInvoicesOf(work.tx, work.organization.id, subscription.id);
  if (!oldest) return recover(work, subscription, at);
  const live = await liveAttempt(work.tx, work.organization.id, oldest.id);
  if (live) return abandonAttempt(work, live, at);
  const method = await cardOf(work, subscription);
  if (method) return void (await collectInvoice(work, oldest, method, purpose, at));
  const bill = await readBill(work, oldest.id);
  if (bill && purpose === "retry") await chargeFailed(work, bill, subscription, { purpose }, at);
}
