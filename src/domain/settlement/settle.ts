import { liveSubscriptions, type CustomerBilling } from "../billing/customer-billing.ts";
import { recordPayment } from "../billing/record.ts";
import { HOUR, instant, SECOND, type Instant } from "../calendar.ts";
import { isAwaited, isCharge, isHosted, isOffSession, isOfPortal, snapshotOf, type Payment } from "../model/payment.ts";
import { newId } from "../../ids.ts";
import { clearDisputedCard, isOnFile } from "../payment/card.ts";
import { detachCard } from "../card/detach-card.ts";
import {
  HARD_DECLINES,
  type Card,
  type FailureCode,
  type Outcome,
  type ProviderRefusal,
} from "../model/payment-outcome.ts";
import { abandonAttempt } from "../payment/attempt.ts";
import { recordMethod } from "../collection/new-card.ts";
import { portalCardEndsAt } from "../card/portal-card.ts";
import { settlePurpose } from "./purpose.ts";

const FIRST_DELAY_MILLISECONDS = SECOND;
const LAST_DELAY_MILLISECONDS = HOUR;

/** The delay before the next status query to the provider: 1 s, 2 s, 4 s … 1 h (rule D2). */
export function delayAfter(checks: number): number {
  return Math.min(FIRST_DELAY_MILLISECONDS * 2 ** Math.min(checks, 20), LAST_DELAY_MILLISECONDS);
}

/**
 * The instant as of which an outcome counts: billing time if the clock runs, or if the outcome comes from the buyer.
 * With a set clock, the outcome of an attempt that waits only for the provider counts as of the attempt, or of a later
 * change of the Customer's live Subscriptions. Billing time would be too late in this case: the clock waits for such an
 * attempt (rule T4d), but may already show the end of the attempt's slice.
 */
function settledAsOf(
  billing: Pick<CustomerBilling, "now" | "organization" | "subscriptions">,
  payment: Payment,
): Instant {
  const waitsForBuyer = payment.status === "requires_action" && !payment.abandoned;
  if (billing.organization.clockAt === null || waitsForBuyer) return billing.now;
  const live = liveSubscriptions(billing);
  return instant(Math.max(payment.updatedAt, ...live.map(({ updatedAt }) => updatedAt)));
}

/** Applies an outcome to the payment and its purpose, unless the payment was settled before. Returns the payment. */
export function settlePayment(billing: CustomerBilling, id: string, outcome: Outcome<FailureCode>): Payment {
  const payment = billing.payments.get(id);
  if (!payment) billing.need({ part: "payment", id });
  if (!payment) throw new Error(`no payment ${id}`);
  if (payment.settledAt !== null) return payment;
  return billing.asOf(settledAsOf(billing, payment), () => applyOutcome(billing, payment, outcome));
}

function applyOutcome(billing: CustomerBilling, payment: Payment, outcome: Outcome<FailureCode>): Payment {
  if (outcome.status === "unknown" || outcome.status === "processing")
    return noteUnknown(billing, payment, outcome.status === "processing");
  if (outcome.status === "refused") return applyRefusal(billing, payment, outcome);
  if (outcome.status === "requires_action") return noteAction(billing, payment, outcome.url);
  if (savesNothing(payment, outcome))
    return applyOutcome(billing, payment, { status: "declined", code: "card_declined" });
  const at = billing.now;
  const succeeded = outcome.status === "succeeded";
  const settled: Payment = {
    ...(succeeded ? withWhatItBuys(billing, withCard(billing, payment, outcome.card)) : payment),
    status: succeeded ? "succeeded" : "failed",
    failureCode: outcome.status === "declined" ? outcome.code : null,
    processing: false,
    checkAt: null,
    settledAt: at,
  };
  const next = recordPayment(billing, settled, succeeded ? "payment.succeeded" : "payment.failed", at);
  if (outcome.status === "declined" && HARD_DECLINES.has(outcome.code)) endCard(billing, payment);
  // Before any other charge of the card: a payment in the buyer's presence clears the card of its disputes (rule D6).
  if (succeeded && isCharge(payment) && !isOffSession(payment)) clearDisputedCard(billing, next, at);
  settlePurpose(billing, next);
  return next;
}

/**
 * A refusal of the account ends only an attempt that a buyer or caller waits for, and that no earlier call may have
 * charged. Any other attempt stays as it is (rules D9d, D9e).
 */
function applyRefusal(billing: CustomerBilling, payment: Payment, { scope, reason }: ProviderRefusal): Payment {
  if (scope === "charge") return applyOutcome(billing, payment, { status: "declined", code: reason });
  if (payment.status !== "pending" || payment.abandoned || !isAwaited(payment)) return payment;
  return applyOutcome(billing, payment, { status: "declined", code: "provider_refused" });
}

/** Whether a card was to be saved on the provider's page, and the provider names no card. No money has moved. */
const savesNothing = (payment: Payment, outcome: Outcome<FailureCode>) =>
  outcome.status === "succeeded" && !isCharge(payment) && payment.paymentMethodId === null && !outcome.card;

/**
 * Keeps the card that the buyer gave on the provider's page. The money has moved, even if no card is named (rule C8).
 * The card counts as given at the submission, so a card that was given meanwhile is newer (rule C). The id of the card
 * has the time of the attempt's id, because ids decide between cards of one instant.
 */
function withCard(
  billing: Pick<CustomerBilling, "cards" | "customer" | "now" | "organization">,
  payment: Payment,
  card: Card | undefined,
): Payment {
  if (payment.paymentMethodId !== null || !card) return payment;
  const { id, provider, providerAccount, createdAt } = payment;
  const methodId = id.replace("pay_", "pm_");
  const method = recordMethod(billing, { ...card, provider, providerAccount }, methodId, createdAt);
  return { ...payment, paymentMethodId: method.id, method: snapshotOf(method) };
}

/** Assigns the ids of the resources that the payment creates, so that the payment's event can name them. */
function withWhatItBuys(billing: Pick<CustomerBilling, "checkouts" | "need">, payment: Payment): Payment {
  const { purpose } = payment;
  if (purpose === "change") return { ...payment, invoiceId: newId("inv") };
  if ((purpose !== "checkout" && purpose !== "setup") || isOfPortal(payment)) return payment;
  billing.need({ part: "checkout", id: payment.sourceId });
  const checkout = billing.checkouts.get(payment.sourceId);
  const subscriptionId = checkout?.change ? checkout.subscriptionId : checkout?.interval ? newId("sub") : null;
  return { ...payment, invoiceId: purpose === "checkout" ? newId("inv") : null, subscriptionId };
}

/**
 * The charge may or may not have been made: no other attempt may be made before the provider answers (rule D2). If the
 * provider can't be asked, a charge that it processes goes on being processed.
 */
function noteUnknown(billing: CustomerBilling, before: Payment, isProcessing: boolean): Payment {
  const payment = isProcessing && before.status !== "requires_action" ? { ...before, processing: true } : before;
  const checkAt = instant(billing.realNow + delayAfter(payment.status === "pending" ? 0 : payment.checks));
  if (payment.status !== "pending") return postpone(billing, payment, checkAt);
  return recordPayment(billing, { ...payment, status: "unknown", checks: 1, checkAt }, null, billing.now);
}

/** Plans another status query to the provider. Callers can't see the query, so there is no new version. */
function postpone(billing: Pick<CustomerBilling, "payments">, payment: Payment, checkAt: Payment["checkAt"]): Payment {
  const next = { ...payment, checkAt, checks: payment.checks + 1 };
  billing.payments.put(next);
  return next;
}

/**
 * Records that the buyer has to authenticate, with one event, or has to pay on the provider's page. The attempt stays
 * unsettled until the buyer answers or the time for an answer is over.
 */
function noteAction(billing: CustomerBilling, payment: Payment, url: string): Payment {
  if (payment.status === "requires_action") {
    // A provider may give the challenge another address, since its first one does not live for ever.
    const moved = url === payment.actionUrl ? payment : { ...payment, actionUrl: url, version: payment.version + 1 };
    const left = isOfPortal(moved) && !moved.abandoned ? portalCardEndsAt(moved) - billing.now : Infinity;
    if (left <= 0) {
      abandonAttempt(billing, moved, billing.now);
      return billing.payments.get(moved.id)!;
    }
    return postpone(billing, moved, instant(billing.realNow + Math.min(delayAfter(payment.checks), left)));
  }
  const waiting: Payment = {
    ...payment,
    status: "requires_action",
    actionUrl: url,
    abandoned: payment.abandoned || payment.purpose === "change",
    checks: payment.checks + 1,
    checkAt: instant(billing.realNow + delayAfter(2)),
  };
  // A change gives its challenge up at once (rule P1), so the buyer is not asked to act. On the way to a page of the
  // provider, the buyer is acting already.
  const event = waiting.purpose === "change" || isHosted(waiting) ? null : "payment.action_required";
  const next = recordPayment(billing, waiting, event, billing.now);
  settlePurpose(billing, next);
  return next;
}

/** Ends the card of a hard decline (rule D3e). A card that the buyer has just given was not on file: no event. */
function endCard(billing: CustomerBilling, payment: Payment): void {
  const method = payment.paymentMethodId === null ? null : billing.cards.get(payment.paymentMethodId);
  if (!method) return;
  if (isOffSession(payment) || isOnFile(billing, method.id)) detachCard(billing, method);
  else billing.cards.put({ ...method, dead: true });
}
