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
 * Charges the oldest open invoice of a Subscription that is not past due. The later periods wait for the outcome, so
 * that a declining card is charged once, not once for each missed period (rule T4).
 */
export function payOldest(account: Account, subscription: Subscription, at: Instant): void {
  const [oldest] = openInvoicesOf(account, subscription.id);
  if (!oldest || liveAttempt(account, oldest.id)) return;
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, oldest, method, "renewal", at);
  else chargeFailed(account, billOf(account, oldest), subscription, { purpose: "renewal" }, at);
}

/** Goes on to the next open invoice after one was paid, oldest first (rule D3j). */
export function payNext(
  account: Account,
  subscription: Subscription,
  { purpose, paymentMethodId }: Payment,
  at: Instant,
): void {
  const [oldest] = openInvoicesOf(account, subscription.id);
  if (!oldest) return recover(account, subscription, at);
  const live = liveAttempt(account, oldest.id);
  // A retry that is under way goes on: only the outcome of a retry plans the next retry.
  if (subscription.nextRetryAt === null) {
    if (live?.purpose !== "retry") retryInvoices(account, subscription, at, "retry");
    return;
  }
  const method = cardOf(account, subscription);
  // An operator's charge pays only the requested invoice. If a new card came meanwhile, the next invoice is charged
  // on the new card (rule D3g).
  if (!method || (purpose === "hand" && method.id === paymentMethodId)) return;
  // A live attempt at the next invoice goes on, except a challenge of an older card, which is given up.
  if (live?.status === "requires_action" && isNewer(account, method, live.paymentMethodId))
    return abandonAttempt(account, live, at);
  if (live) return;
  collectInvoice(account, oldest, method, purposeOfNext(purpose), at);
}

const isNewer = (account: Account, card: PaymentMethod, thanId: string) =>
  isNewerCard(card, account.cards.get(thanId)!);

/**
 * Makes the attempt for which another attempt was given up: a due retry, or an attempt on a new card. If an operator's
 * request gave the attempt up, no attempt is made here.
 */
export function goOn(
  account: Account,
  subscription: Subscription,
  { purpose, paymentMethodId }: Payment,
  at: Instant,
): void {
  if (subscription.nextRetryAt === null) return retryInvoices(account, subscription, at, "retry");
  const method = cardOf(account, subscription);
  // The page's card is not the card on file, and the card on file was tried earlier. So the card on file counts as new
  // only if it was given after the page's card.
  const isNew =
    purpose === "page" ? method !== null && isNewer(account, method, paymentMethodId) : method?.id !== paymentMethodId;
  if (isNew) retryInvoices(account, subscription, at, "new_card");
}

/** Recovers a past-due Subscription once its last open invoice is paid or void. */
export function recoverIfPaid(account: Account, subscription: Subscription, at: Instant): void {
  if (subscription.status !== "past_due") return;
  if (openInvoicesOf(account, subscription.id).length === 0) recover(account, subscription, at);
}

/** Ends dunning after all is paid; revoked grants come back (rule S). */
function recover(account: Account, subscription: Subscription, at: Instant): void {
  const recovered: Subscription = {
    ...subscription,
    ...NO_DUNNING,
    status: nextStatus(subscription.status, "all_paid"),
  };
  const next = recordSubscription(account, recovered, "subscription.recovered", at);
  syncSubscriptionGrants(account, next, "payment_recovered", at);
}

/**
 * Applies a failed charge, or a charge that needs the buyer. `attempt`: the payment, or only the purpose of the charge
 * if there was no card to charge.
 */
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

/** Sets the next attempt on all open invoices of a Subscription, which share one schedule (rule D3a). */
function planAttempt(account: Account, subscriptionId: string, nextAttemptAt: Instant | null): void {
  for (const invoice of openInvoicesOf(account, subscriptionId)) {
    if (invoice.nextAttemptAt !== nextAttemptAt)
      account.invoices.put({ ...invoice, nextAttemptAt, version: invoice.version + 1 });
  }
}

/**
 * Tries the open invoices after a scheduled retry or a new card, oldest first (rule D3b). An unsettled attempt, such
 * as a challenge that waits for the buyer, is given up first, so that it can't charge beside the new attempt.
 */
export function retryInvoices(
  account: Account,
  subscription: Subscription,
  at: Instant,
  purpose: "retry" | "new_card",
): void {
  const [oldest] = openInvoicesOf(account, subscription.id);
  if (!oldest) return recover(account, subscription, at);
  const live = liveAttempt(account, oldest.id);
  if (live) return abandonAttempt(account, live, at);
  const method = cardOf(account, subscription);
  if (method) collectInvoice(account, oldest, method, purpose, at);
  else if (purpose === "retry") chargeFailed(account, billOf(account, oldest), subscription, { purpose }, at);
}
