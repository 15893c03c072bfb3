import type { CustomerBilling } from "../billing/customer-billing.ts";
import { recordPayment } from "../billing/record.ts";
import { instant, type Instant } from "../calendar.ts";
import type { Invoice } from "../model/invoice.ts";
import {
  isOffSession,
  snapshotOf,
  type Payment,
  type PaymentMethod,
  type InvoicePurpose,
  type PaymentRequest,
} from "../model/payment.ts";
import { SANDBOX, type HostedEntry } from "../model/payment-outcome.ts";
import { newId } from "../../ids.ts";
import { isCardDisputed } from "./card.ts";

/**
 * The provider's key of an attempt that Billow begins by itself: the Subscription, its period and the number of the
 * attempt (rule D1a). The key has no random part and no id of an invoice or a payment: copies of one database make such
 * ids anew, but derive the same key for the same charge. Null as period: the last invoice of the Subscription, of which
 * at most one is charged (rule S4).
 * @throws Error for an invoice without a Subscription, which is never open
 */
function keyOfCollection({
  id,
  subscriptionId,
  periodNumber,
  collections,
}: Pick<Invoice, "id" | "subscriptionId" | "periodNumber" | "collections">): string {
  if (subscriptionId === null) throw new Error(`the invoice ${id} is of no subscription`);
  return `${subscriptionId}_${periodNumber ?? "last"}_${collections}`;
}

/**
 * The lease of the process that recorded an attempt, for its call to the provider. After the lease any other process
 * may call the provider, with the same key.
 */
export const LEASE_MILLISECONDS = 10_000;
/** The lease for a call of a connected provider: a bank takes 20 to 30 s, and a provider's deadline ends at 40 s. */
export const CONNECTED_LEASE_MILLISECONDS = 45_000;

const leaseOf = (provider: string) => (provider === SANDBOX ? LEASE_MILLISECONDS : CONNECTED_LEASE_MILLISECONDS);

/** A card on file, or the provider on whose page the buyer gives a card. */
export type PayWith = PaymentMethod | HostedEntry;

type Attempt = Pick<Payment, "purpose" | "checkoutId" | "invoiceId" | "subscriptionId" | "amount" | "currency"> & {
  /** Null: the source is the attempt itself. */
  sourceId: string | null;
  request?: PaymentRequest | null;
  providerKey?: string;
};

/**
 * Records an attempt before the provider is called (rule D1). The attempt's id is its key at the provider, unless
 * `providerKey` is given. If `leased`, this process calls the provider; if not, the attempt is due at once for the
 * worker. This function also decides, under
 * the Customer's lock, whether a dispute holds the card back (rules D1b, D6b). That decision can't come later: once an
 * attempt was sent, only the provider knows its outcome.
 */
export function recordAttempt(
  billing: CustomerBilling,
  attempt: Attempt,
  payWith: PayWith,
  at: Instant,
  leased: boolean,
): Payment {
  const method = "hosted" in payWith ? null : payWith;
  const { provider, providerAccount } = payWith;
  const isHeldBack = method !== null && isOffSession(attempt) && isCardDisputed(billing, method);
  const id = newId("pay");
  const payment: Payment = {
    ...attempt,
    organizationId: billing.organization.id,
    id,
    sourceId: attempt.sourceId ?? id,
    providerKey: attempt.providerKey ?? id,
    status: "pending",
    customerId: billing.customer.id,
    provider,
    providerAccount,
    paymentMethodId: method && method.id,
    method: method && snapshotOf(method),
    actionUrl: null,
    failureCode: isHeldBack ? "card_disputed" : null,
    checkAt: instant(billing.realNow + (leased ? leaseOf(provider) : 0)),
    checks: 0,
    processing: false,
    abandoned: false,
    request: attempt.request ?? null,
    settledAt: null,
    version: 0,
    eventSequence: 0,
    createdAt: at,
    updatedAt: at,
  };
  return recordPayment(billing, payment, null, at);
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

/** Records a charge of an open invoice that Billow begins by itself; the worker calls the provider. */
export function collectInvoice(
  billing: CustomerBilling,
  invoice: Invoice,
  method: PaymentMethod,
  purpose: Exclude<InvoicePurpose, "page">,
  at: Instant,
): Payment {
  // A caller may have read the invoice before an earlier attempt of the same decision.
  const current = billing.invoices.get(invoice.id) ?? invoice;
  const counted = { ...current, collections: current.collections + 1 };
  // The invoice's version stays: only the engine uses this column.
  billing.invoices.put(counted);
  const attempt = { ...chargeOf(counted, purpose), providerKey: keyOfCollection(counted) };
  return recordAttempt(billing, attempt, method, at, false);
}

/**
 * As `collectInvoice`, for an operator. The operator's request calls the provider, and the settlement stores the answer
 * to that request.
 */
export function collectByHand(
  billing: CustomerBilling,
  invoice: Invoice,
  method: PaymentMethod,
  request: PaymentRequest | null,
): Payment {
  return recordAttempt(billing, { ...chargeOf(invoice, "hand"), request }, method, billing.now, true);
}

/** As `collectInvoice`, by the buyer on the invoice's page: the page's request calls the provider. */
export function collectOnPage(billing: CustomerBilling, invoice: Invoice, payWith: PayWith): Payment {
  return recordAttempt(billing, chargeOf(invoice, "page"), payWith, billing.now, true);
}

/** As `collectInvoice`, in the presence of the buyer, who has resumed: this process calls the provider. */
export function collectAtResume(billing: CustomerBilling, invoice: Invoice, method: PaymentMethod): Payment {
  return recordAttempt(billing, chargeOf(invoice, "resume"), method, billing.now, true);
}

/**
 * Gives an attempt up: the attempt is canceled at the provider, and the provider's answer settles the attempt.
 * `updatedAt` keeps the instant `at`, because with a set clock the attempt is settled as of that instant.
 */
export function abandonAttempt(billing: CustomerBilling, payment: Payment, at: Instant): void {
  if (payment.abandoned) return;
  const updatedAt = at > payment.updatedAt ? at : payment.updatedAt;
  recordPayment(billing, { ...payment, abandoned: true, checkAt: billing.realNow, updatedAt }, null, at);
}

const UNSETTLED: readonly Payment["status"][] = ["pending", "requires_action", "unknown"];

/** The unsettled attempt on this Checkout, change or invoice; at most one exists (rule D1). */
export function liveAttempt(billing: Pick<CustomerBilling, "payments">, sourceId: string): Payment | null {
  return (
    billing.payments.where((payment) => payment.sourceId === sourceId && UNSETTLED.includes(payment.status))[0] ?? null
  );
}
