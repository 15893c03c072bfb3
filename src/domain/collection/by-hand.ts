import { type CustomerBilling, findSubscription } from "../billing/customer-billing.ts";
import { recordSubscription } from "./record-subscription.ts";
import { runDue, runDueAtRest } from "./due.ts";
import type { Payment, PaymentRequest } from "../model/payment.ts";
import { collectByHand, liveAttempt } from "../payment/attempt.ts";
import { cardOf } from "../payment/card.ts";
import { recoverIfSettled } from "./recovery.ts";
import { isResuming, type Subscription } from "../model/subscription.ts";
import { readBill, type Bill } from "../invoice/bills.ts";
import { payInvoiceOutside, voidInvoice } from "../invoice/pay.ts";
import { Refusal } from "../refusal.ts";

type Invoice = Bill["invoice"];

/** Checks the invoice against If-Match, after all due work is done. @throws Refusal `precondition_failed` */
export type InvoiceVersionCheck = (invoice: Invoice) => void;

/**
 * A challenge waits for the buyer. The caller gives the challenge up at the provider, then repeats the decision
 * (rule D3l).
 */
export type ChallengeWaits = { challenge: Payment };

/** An open invoice with its Subscription; `challenge`: the attempt that waits for the buyer to authenticate. */
export type OpenInvoice = { bill: Bill; subscription: Subscription; challenge: Payment | null };

/**
 * Carries out the Customer's due work (rule T3), then finds the open invoice (rule D3k).
 * @throws Refusal 404, 409 `invoice_not_open`, `payment_in_progress`, 412
 */
export function findOpen(billing: CustomerBilling, id: string, checkVersion?: InvoiceVersionCheck): OpenInvoice {
  if (!readBill(billing, id)) throw new Refusal("not_found");
  runDue(billing);
  const bill = readBill(billing, id)!;
  checkVersion?.(bill.invoice);
  const { status, subscriptionId } = bill.invoice;
  if (status !== "open") throw new Refusal("invoice_not_open");
  // The invoice of a purchase without a Subscription is paid from the start, so that invoice is never open.
  if (subscriptionId === null) throw new Error(`the open invoice ${id} is of no subscription`);
  const subscription = findSubscription(billing, subscriptionId);
  if (!subscription) throw new Error(`the subscription of invoice ${id} was not loaded`);
  const challenge = liveAttempt(billing, id);
  if (challenge && challenge.status !== "requires_action") throw new Refusal("payment_in_progress");
  return { bill, subscription, challenge };
}

/**
 * Voids an invoice for an operator: the amount is no longer to be paid, and access stays (rule S5).
 * @throws Refusal 404, 409, 412
 */
export function voidByHand(
  billing: CustomerBilling,
  id: string,
  { reason }: { reason: string | null },
  checkVersion?: InvoiceVersionCheck,
): { bill: Bill } | ChallengeWaits {
  const { bill: open, subscription, challenge } = findOpen(billing, id, checkVersion);
  if (challenge) return { challenge };
  const bill = voidInvoice(billing, open, billing.now, reason);
  // A resuming Subscription has no schedule that would end it, so a void invoice restarts it, too (rule S8h).
  const restarts = isResuming(subscription);
  recoverIfSettled(billing, forgetPaidRate(billing, subscription, bill.invoice), restarts, billing.now);
  // A Subscription that recovers at the instant of its period's end is renewed at this instant.
  runDueAtRest(billing);
  return { bill };
}

/**
 * Sets the paid rate to 0 if the invoice billed the period in progress: leaving that unpaid period early gives no
 * credit (rule P).
 */
function forgetPaidRate(billing: CustomerBilling, subscription: Subscription, invoice: Invoice): Subscription {
  if (invoice.periodNumber !== subscription.periodNumber) return subscription;
  return recordSubscription(billing, { ...subscription, paidRate: 0 }, null, billing.now);
}

/**
 * Marks an invoice as paid for an operator: the money came without a payment provider, for example by bank transfer.
 * @throws Refusal 404, 409, 412
 */
export function markPaid(
  billing: CustomerBilling,
  id: string,
  { reason }: { reason: string | null },
  checkVersion?: InvoiceVersionCheck,
): { bill: Bill } | ChallengeWaits {
  const { bill: open, subscription, challenge } = findOpen(billing, id, checkVersion);
  if (challenge) return { challenge };
  const bill = payInvoiceOutside(billing, open, reason, billing.now);
  recoverIfSettled(billing, subscription, true, billing.now);
  runDueAtRest(billing);
  return { bill };
}

/** `cardMissing`: the invoice, if there is no card that may be charged. */
export type ChargedByHand = { attempt: Payment } | { cardMissing: Invoice } | ChallengeWaits;

/**
 * Records an operator's charge of an open invoice, on the card that retries use. The charge does not use up the retry
 * schedule, and pays no other invoice (rules D3h, D3i, D9i). `request`: the request that the settlement answers, if it
 * has an Idempotency-Key. `agreedCard`: the id of the card on the page on which a person agreed; null: there was no
 * page.
 * @throws Refusal 404, 409, 412
 */
export function chargeByHand(
  billing: CustomerBilling,
  id: string,
  request: PaymentRequest | null,
  checkVersion?: InvoiceVersionCheck,
  agreedCard: string | null = null,
): ChargedByHand {
  const { bill, subscription, challenge } = findOpen(billing, id, checkVersion);
  if (!billing.loaded.hasProvider) throw new Refusal("payment_provider_missing");
  const method = cardOf(billing, subscription);
  if (!method) return { cardMissing: bill.invoice };
  if (agreedCard !== null && method.id !== agreedCard) throw new Refusal("precondition_failed");
  if (challenge) return { challenge };
  return { attempt: collectByHand(billing, bill.invoice, method, request) };
}
