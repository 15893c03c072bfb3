import type { Account } from "../account/account.ts";
import { recordInvoice, recordSubscription } from "../account/record.ts";
import { syncSubscriptionGrants } from "../benefit/grant.ts";
import type { Instant } from "../calendar.ts";
import { planFailure } from "./retry-schedule.ts";
import { billOf, openInvoicesOf, type Bill } from "../invoice/bills.ts";
import { isNewerCard, purposeOfNext, type InvoicePurpose, type Payment, type PaymentMethod } from "./payment.ts";
import { endSubscription } from "../subscription/end.ts";
import { nextStatus, NO_DUNNING, type Subscription } from "../subscription/subscription.ts";
import { abandonAttempt, collectInvoice, liveAttempt } from "./attempt.ts";
import { cardOf } from "./card.ts";

/**
 * Charges the oldest open invoice of a Subscription that is not past due. While that is being paid the periods after it wait: a card that
 * declines is not asked once for each period that was missed (rule T4).
 */
export function payOldest(account: Account, subscription: Subscription, at: Instant): void {
  const [oldest] = openInvoicesOf(account, subscription.id);
  if (!oldest || liveAttempt(account, oldest.id)) return;
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, oldest, method, "renewal", at);
  else chargeFailed(account, billOf(account, oldest), subscription, { purpose: "renewal" }, at);
}

/** After one of a Subscription's invoices, the next: oldest first (rule D3j). */
export function payNext(account: Account, subscription: Subscription, { purpose, paymentMethodId }: Payment, at: Instant): void {
  const [oldest] = openInvoicesOf(account, subscription.id);
  if (!oldest) return recover(account, subscription, at);
  const live = liveAttempt(account, oldest.id);
  // A retry that is under way goes on, whoever paid this one: no other attempt would plan the next.
  if (subscription.nextRetryAt === null) {
    if (live?.purpose !== "retry") retryInvoices(account, subscription, at, "retry");
    return;
  }
  const method = cardOf(account, subscription);
  // By hand exactly the invoice that was asked for is paid; but where it was given up for a new card, that card is tried (rule D3j).
  if (!method || (purpose === "hand" && method.id === paymentMethodId)) return;
  // Where the next one is being paid already, its own outcome carries on; only a challenge of an older card is given up for this one.
  if (live?.status === "requires_action" && isNewer(account, method, live.paymentMethodId)) return abandonAttempt(account, live, at);
  if (live) return;
  collectInvoice(account, oldest, method, purposeOfNext(purpose), at);
}

const isNewer = (account: Account, card: PaymentMethod, thanId: string) => isNewerCard(card, account.cards.get(thanId)!);

/** Goes on to the reason for which an attempt was given up: a retry that was due, or a new card. An operator's attempt has no sequel. */
export function goOn(account: Account, subscription: Subscription, { purpose, paymentMethodId }: Payment, at: Instant): void {
  if (subscription.nextRetryAt === null) return retryInvoices(account, subscription, at, "retry");
  const method = cardOf(account, subscription);
  // The card on file is not the one that was given on the page; it has had its turn unless it was given since.
  const isNew = purpose === "page" ? method !== null && isNewer(account, method, paymentMethodId) : method?.id !== paymentMethodId;
  if (isNew) retryInvoices(account, subscription, at, "new_card");
}

/** Lets a Subscription recover where its last open invoice was paid or given up. */
export function recoverIfPaid(account: Account, subscription: Subscription, at: Instant): void {
  if (subscription.status !== "past_due") return;
  if (openInvoicesOf(account, subscription.id).length === 0) recover(account, subscription, at);
}

/** Everything owed is paid: dunning is over, and revoked grants come back (rule S). */
function recover(account: Account, subscription: Subscription, at: Instant): void {
  const recovered: Subscription = { ...subscription, ...NO_DUNNING, status: nextStatus(subscription.status, "all_paid") };
  const next = recordSubscription(account, recovered, "subscription.recovered", at);
  syncSubscriptionGrants(account, next, "payment_recovered", at);
}

/** A charge failed or needs the buyer, which is `attempt`; or there is no card to charge: then it is what would have been tried. */
export function chargeFailed(
  account: Account,
  bill: Bill,
  subscription: Subscription,
  attempt: Payment | { purpose: InvoicePurpose },
  at: Instant,
): void {
  const plan = planFailure(subscription, attempt.purpose, account.organization, at);
  const exhausted = "exhausted" in plan;
  const next = exhausted ? subscription : { ...subscription, ...plan.change };
  const failed = { ...bill.invoice, nextAttemptAt: exhausted ? null : next.nextRetryAt };
  recordInvoice(account, failed, bill.lines, "invoice.payment_failed", at, "id" in attempt ? attempt : null);
  if (exhausted) {
    endSubscription(account, next, "dunning_exhausted", at, { reason: "payment_failed" });
    return;
  }
  recordSubscription(account, next, plan.event, at);
  planAttempt(account, subscription.id, next.nextRetryAt);
}

/** Notes on a Subscription's open invoices when they are tried next: one schedule for all of them (rule D3a). */
function planAttempt(account: Account, subscriptionId: string, nextAttemptAt: Instant | null): void {
  for (const invoice of openInvoicesOf(account, subscriptionId)) {
    if (invoice.nextAttemptAt !== nextAttemptAt) account.invoices.put({ ...invoice, nextAttemptAt, version: invoice.version + 1 });
  }
}

/**
 * A scheduled retry, or a new card: the open invoices are paid oldest first (rule D3b). A challenge that still waits for the buyer is
 * given up before, so that it can't charge beside the new attempt.
 */
export function retryInvoices(account: Account, subscription: Subscription, at: Instant, purpose: "retry" | "new_card"): void {
  const [oldest] = openInvoicesOf(account, subscription.id);
  if (!oldest) return recover(account, subscription, at);
  const live = liveAttempt(account, oldest.id);
  if (live) return abandonAttempt(account, live, at);
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, oldest, method, purpose, at);
  else if (purpose === "retry") chargeFailed(account, billOf(account, oldest), subscription, { purpose }, at);
}
