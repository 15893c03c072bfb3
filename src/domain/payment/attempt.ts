import type { Account } from "../billing/customer-billing.ts";
import { recordPayment } from "../billing/record.ts";
import { instant, type Instant } from "../calendar.ts";
import type { Invoice } from "../model/invoice.ts";
import { isOffSession, snapshotOf, type Payment, type PaymentMethod } from "../model/payment.ts";
import type { InvoicePurpose, PaymentRequest } from "../model/payment.ts";
import { SANDBOX, type HostedEntry } from "../model/payment-outcome.ts";
import { AppError, RETRY_SOON } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { isCardDisputed } from "./card.ts";
import { keyOfCollection } from "../model/provider-key.ts";

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
  account: Account,
  attempt: Attempt,
  payWith: PayWith,
  at: Instant,
  leased: boolean,
): Payment {
  const method = "hosted" in payWith ? null : payWith;
  const { provider, providerAccount } = payWith;
  const isHeldBack = method !== null && isOffSession(attempt) && isCardDisputed(account, method);
  const id = newId("pay");
  const payment: Payment = {
    ...attempt,
    organizationId: account.organization.id,
    id,
    sourceId: attempt.sourceId ?? id,
    providerKey: attempt.providerKey ?? id,
    status: "pending",
    customerId: account.customer.id,
    provider,
    providerAccount,
    paymentMethodId: method && method.id,
    method: method && snapshotOf(method),
    actionUrl: null,
    failureCode: isHeldBack ? "card_disputed" : null,
    checkAt: instant(account.realNow + (leased ? leaseOf(provider) : 0)),
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
  return recordPayment(account, payment, null, at);
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
  account: Account,
  invoice: Invoice,
  method: PaymentMethod,
  purpose: Exclude<InvoicePurpose, "page">,
  at: Instant,
): Payment {
  // A caller may have read the invoice before an earlier attempt of the same decision.
  const present = account.invoices.get(invoice.id) ?? invoice;
  const counted = { ...present, collections: present.collections + 1 };
  // The invoice's version stays: only the engine uses this column.
  account.invoices.put(counted);
  const attempt = { ...chargeOf(counted, purpose), providerKey: keyOfCollection(counted) };
  return recordAttempt(account, attempt, method, at, false);
}

/**
 * As `collectInvoice`, for an operator. The operator's request calls the provider, and the settlement stores the answer
 * to that request.
 */
export function collectByHand(
  account: Account,
  invoice: Invoice,
  method: PaymentMethod,
  request: PaymentRequest | null,
): Payment {
  return recordAttempt(account, { ...chargeOf(invoice, "hand"), request }, method, account.now, true);
}

/** As `collectInvoice`, by the buyer on the invoice's page: the page's request calls the provider. */
export function collectOnPage(account: Account, invoice: Invoice, payWith: PayWith): Payment {
  return recordAttempt(account, chargeOf(invoice, "page"), payWith, account.now, true);
}

/**
 * Gives an attempt up: the attempt is canceled at the provider, and the provider's answer settles the attempt.
 * `updatedAt` keeps the instant `at`, because with a set clock the attempt is settled as of that instant.
 */
export function abandonAttempt(account: Account, payment: Payment, at: Instant): void {
  if (payment.abandoned) return;
  const updatedAt = at > payment.updatedAt ? at : payment.updatedAt;
  recordPayment(account, { ...payment, abandoned: true, checkAt: account.realNow, updatedAt }, null, at);
}

const UNSETTLED: readonly Payment["status"][] = ["pending", "requires_action", "unknown"];

/** The unsettled attempt on this Checkout, change or invoice; at most one exists (rule D1). */
export function liveAttempt(account: Account, sourceId: string): Payment | null {
  return (
    account.payments.where((payment) => payment.sourceId === sourceId && UNSETTLED.includes(payment.status))[0] ?? null
  );
}

/**
 * The error while an attempt's outcome is unknown: no other attempt may begin, and its source may not be closed
 * (rule D3k).
 */
export function paymentInProgress(): AppError {
  return new AppError("payment_in_progress", { headers: RETRY_SOON });
}
