import type { Instant } from "../domain/calendar.ts";
import type { Invoice } from "../domain/invoice.ts";
import { isOffSession, type Payment, type PaymentMethod, type PaymentRequest, type InvoicePurpose } from "../domain/payment.ts";
import { instant } from "../domain/calendar.ts";
import type { Subscription } from "../domain/subscription.ts";
import { newId } from "../ids.ts";
import type { Queryable } from "../store/db.ts";
import { disputedCards } from "../store/disputes.ts";
import { paymentMethods } from "../store/payment-methods.ts";
import { recordPayment } from "./record.ts";
import type { Work } from "./work.ts";

/** For how long whoever recorded an attempt is believed to be calling the provider; then anybody may, with the same key. */
export const LEASE_MILLISECONDS = 10_000;

type Attempt = Pick<Payment, "purpose" | "sourceId" | "checkoutId" | "invoiceId" | "subscriptionId" | "amount" | "currency"> & {
  request?: PaymentRequest | null;
};

/**
 * Records an attempt before the provider is called (rule D1). Its id is the provider's key. `leased`: the caller goes on to call the
 * provider itself; else the attempt is due at once for the worker. Whether the card is held back by a dispute is decided here, under the
 * Customer's lock: once an attempt was sent, only the provider knows what came of it (rule D6).
 */
export async function recordAttempt(work: Work, attempt: Attempt, method: PaymentMethod, at: Instant, leased: boolean): Promise<Payment> {
  const { type, brand, last4, expMonth, expYear } = method;
  const isHeldBack = isOffSession(attempt) && (await isCardDisputed(work, method));
  const payment: Payment = {
    ...attempt,
    organizationId: work.organization.id,
    id: newId("pay"),
    status: "pending",
    customerId: work.customer.id,
    paymentMethodId: method.id,
    method: { type, brand, last4, expMonth, expYear },
    actionUrl: null,
    failureCode: isHeldBack ? "card_disputed" : null,
    checkAt: instant(work.realNow + (leased ? LEASE_MILLISECONDS : 0)),
    checks: 0,
    abandoned: false,
    request: attempt.request ?? null,
    settledAt: null,
    version: 0,
    eventSequence: 0,
    createdAt: at,
    updatedAt: at,
  };
  return recordPayment(work, payment, null, at);
}

type Payable = Pick<Subscription, "paymentMethodId" | "customerNamed">;
type Place = Pick<Work, "organization" | "customer"> & { tx: Queryable };

/**
 * The card a Subscription's charges go to: its own where it has one, else the Customer's default, but never that of a Customer whom the
 * buyer only claimed to be. Null when there is none, or none that may be charged.
 */
export async function cardOf({ tx, organization, customer }: Place, subscription: Payable): Promise<PaymentMethod | null> {
  const id = subscription.paymentMethodId ?? (subscription.customerNamed ? customer.defaultPaymentMethodId : null);
  const method = id === null ? null : await paymentMethods.find(tx, organization.id, id);
  return method && !method.dead ? method : null;
}

/** Whether a dispute holds the card back: it is charged only in the buyer's presence (rule D6). */
export async function isCardDisputed({ tx, organization, customer }: Place, { fingerprint }: PaymentMethod): Promise<boolean> {
  return (await disputedCards(tx, organization.id, customer.id)).has(fingerprint);
}

/** As `cardOf`, but for a card that a dispute holds back: what a charge off-session may go to now. */
export async function unhinderedCardOf(place: Place, subscription: Payable): Promise<PaymentMethod | null> {
  const method = await cardOf(place, subscription);
  return method && !(await isCardDisputed(place, method)) ? method : null;
}

function chargeOf(invoice: Invoice, purpose: InvoicePurpose) {
  return {
    purpose,
    sourceId: invoice.id,
    checkoutId: null,
    invoiceId: invoice.id,
    subscriptionId: invoice.subscriptionId,
    amount: invoice.amountDue,
    currency: invoice.currency,
  } as const;
}

/** Records the charge of an open invoice; the worker calls the provider. */
export async function collectInvoice(
  work: Work,
  invoice: Invoice,
  method: PaymentMethod,
  purpose: Exclude<InvoicePurpose, "page">,
  at: Instant,
): Promise<Payment> {
  return recordAttempt(work, chargeOf(invoice, purpose), method, at, false);
}

/** As `collectInvoice`, by an operator's hand: whoever asked calls the provider, and the settlement keeps the answer to `request`. */
export async function collectByHand(work: Work, invoice: Invoice, method: PaymentMethod, request: PaymentRequest | null): Promise<Payment> {
  return recordAttempt(work, { ...chargeOf(invoice, "hand"), request }, method, work.now, true);
}

/** As `collectInvoice`, on a card that the buyer gave on the invoice's page: whoever took it calls the provider. */
export async function collectOnPage(work: Work, invoice: Invoice, method: PaymentMethod): Promise<Payment> {
  return recordAttempt(work, chargeOf(invoice, "page"), method, work.now, true);
}

/** Nobody waits for this attempt any more: it is canceled at the provider, and settled by what that says was done already. */
export async function abandonAttempt(work: Work, payment: Payment, at: Instant): Promise<void> {
  if (!payment.abandoned) await recordPayment(work, { ...payment, abandoned: true, checkAt: work.realNow }, null, at);
}
