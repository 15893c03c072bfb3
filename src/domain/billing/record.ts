import type { Benefit, BenefitGrant } from "../model/benefit.ts";
import type { Instant } from "../calendar.ts";
import type { Customer } from "../model/customer.ts";
import type { Dispute } from "../model/dispute.ts";
import type { EventType } from "../event.ts";
import type { Back } from "../model/invoice-returns.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import { isCharge, type Payment, type PaymentMethod } from "../model/payment.ts";
import type { Refund } from "../model/refund.ts";
import type { Account } from "./customer-billing.ts";
import { record, queueEmail } from "./record-event.ts";

/**
 * `attempt`: the payment that paid the invoice, or failed. `back`: refunds, disputes and credits of an invoice that was
 * paid earlier.
 */
export function recordInvoice(
  account: Account,
  row: Invoice,
  lines: readonly InvoiceLine[],
  type: EventType | null,
  at: Instant,
  attempt: Payment | null = null,
  back?: Back,
): Invoice {
  const next = record(account, row, type, at, (written) => ({ kind: "invoice", row: written, lines, back }));
  account.invoices.put(next);
  if (type) queueEmail(account, { type, invoice: next, attempt }, at);
  return next;
}

/** A setup makes no event and no e-mail, because callers do not see a setup as a payment. */
export function recordPayment(account: Account, row: Payment, type: EventType | null, at: Instant): Payment {
  const reported = isCharge(row) ? type : null;
  const next = record(account, row, reported, at, (written) => ({ kind: "payment", row: written }));
  account.payments.put(next);
  if (reported) queueEmail(account, { type: reported, payment: next }, at);
  return next;
}

/** `isDisputed`: whether a dispute holds the card back (rule D6). */
export function recordCard(
  account: Account,
  row: PaymentMethod,
  type: EventType,
  at: Instant,
  isDisputed: boolean,
): PaymentMethod {
  const isDefault = account.customer.defaultPaymentMethodId === row.id;
  const next = record(account, row, type, at, (written) => ({ kind: "card", row: written, isDefault, isDisputed }));
  account.cards.put(next);
  return next;
}

export function recordRefund(account: Account, row: Refund, type: EventType | null, at: Instant): Refund {
  const next = record(account, row, type, at, (written) => ({ kind: "refund", row: written }));
  account.refunds.put(next);
  return next;
}

export function recordDispute(account: Account, row: Dispute, type: EventType | null, at: Instant): Dispute {
  const next = record(account, row, type, at, (written) => ({ kind: "dispute", row: written }));
  account.disputes.put(next);
  return next;
}

/** `shown`: the grant's Benefit, and the end of the access that the grant gives. */
export function recordGrant(
  account: Account,
  row: BenefitGrant,
  type: EventType,
  at: Instant,
  shown: { benefit: Benefit; expiresAt: Instant | null },
): BenefitGrant {
  const next = record(account, row, type, at, (written) => ({ kind: "grant", row: written, ...shown }));
  account.grants.put(next);
  return next;
}

/**
 * Records a change of a Customer's own fields. Fields that only the engine uses (numbers, default card) are changed
 * without this function and without a new version.
 */
export function recordCustomer(account: Account, row: Customer, type: EventType, at: Instant): Customer {
  account.customer = record(account, row, type, at, (written) => ({ kind: "customer", row: written }));
  return account.customer;
}
