import { newId } from "../../ids.ts";
import type { Benefit, BenefitGrant } from "../model/benefit.ts";
import type { Instant } from "../calendar.ts";
import type { Customer } from "../model/customer.ts";
import type { Dispute } from "../model/dispute.ts";
import { type EventType, stamped } from "../event.ts";
import { emailOf, type EmailCause } from "../model/email.ts";
import type { Back } from "../model/invoice-returns.ts";
import type { Invoice, InvoiceLine } from "../model/invoice.ts";
import { isCharge, type Payment, type PaymentMethod } from "../model/payment.ts";
import type { Refund } from "../model/refund.ts";
import type { CustomerBilling } from "./customer-billing.ts";
import type { RecordedResource } from "./recorded-event.ts";

type Eventful = { id: string; version: number; eventSequence: number; updatedAt: Instant };

/** Stamps a changed row (see `stamped`) and adds the event that shows it. Returns the row as it is written. */
export function record<Row extends Eventful>(
  billing: Pick<CustomerBilling, "events">,
  changed: Row,
  type: EventType | null,
  at: Instant,
  resourceOf: (row: Row) => RecordedResource,
): Row {
  const { row, recordedAt } = stamped(changed, type, at);
  if (type)
    billing.events.push({
      id: newId("evt"),
      type,
      resource: resourceOf(row),
      sequence: row.eventSequence,
      at: recordedAt,
    });
  return row;
}

/**
 * Queues an e-mail for the buyer, unless the Organization has switched this kind of e-mail off. The text is written
 * when the e-mail is sent.
 */
export function queueEmail(
  { organization, customer, emails }: Pick<CustomerBilling, "customer" | "emails" | "organization">,
  cause: EmailCause,
  createdAt: Instant,
): void {
  const email = emailOf(cause, organization.emailsOff);
  if (email === null) return;
  emails.push({ ...email, organizationId: organization.id, id: newId("eml"), customerId: customer.id, createdAt });
}

/**
 * `attempt`: the payment that paid the invoice, or failed. `back`: refunds, disputes and credits of an invoice that was
 * paid earlier.
 */
export function recordInvoice(
  billing: CustomerBilling,
  row: Invoice,
  lines: readonly InvoiceLine[],
  type: EventType | null,
  at: Instant,
  attempt: Payment | null = null,
  back?: Back,
): Invoice {
  const next = record(billing, row, type, at, (written) => ({ kind: "invoice", row: written, lines, back }));
  billing.invoices.put(next);
  if (type) queueEmail(billing, { type, invoice: next, attempt }, at);
  return next;
}

/** A setup makes no event and no e-mail, because callers do not see a setup as a payment. */
export function recordPayment(billing: CustomerBilling, row: Payment, type: EventType | null, at: Instant): Payment {
  const reported = isCharge(row) ? type : null;
  const next = record(billing, row, reported, at, (written) => ({ kind: "payment", row: written }));
  billing.payments.put(next);
  if (reported) queueEmail(billing, { type: reported, payment: next }, at);
  return next;
}

/** `isDisputed`: whether a dispute holds the card back (rule D6). */
export function recordCard(
  billing: Pick<CustomerBilling, "cards" | "customer" | "events">,
  row: PaymentMethod,
  type: EventType,
  at: Instant,
  isDisputed: boolean,
): PaymentMethod {
  const isDefault = billing.customer.defaultPaymentMethodId === row.id;
  const next = record(billing, row, type, at, (written) => ({ kind: "card", row: written, isDefault, isDisputed }));
  billing.cards.put(next);
  return next;
}

export function recordRefund(
  billing: Pick<CustomerBilling, "events" | "refunds">,
  row: Refund,
  type: EventType | null,
  at: Instant,
): Refund {
  const next = record(billing, row, type, at, (written) => ({ kind: "refund", row: written }));
  billing.refunds.put(next);
  return next;
}

export function recordDispute(
  billing: Pick<CustomerBilling, "disputes" | "events">,
  row: Dispute,
  type: EventType | null,
  at: Instant,
): Dispute {
  const next = record(billing, row, type, at, (written) => ({ kind: "dispute", row: written }));
  billing.disputes.put(next);
  return next;
}

/** `shown`: the grant's Benefit, and the end of the access that the grant gives. */
export function recordGrant(
  billing: Pick<CustomerBilling, "events" | "grants">,
  row: BenefitGrant,
  type: EventType,
  at: Instant,
  shown: { benefit: Benefit; expiresAt: Instant | null },
): BenefitGrant {
  const next = record(billing, row, type, at, (written) => ({ kind: "grant", row: written, ...shown }));
  billing.grants.put(next);
  return next;
}

/**
 * Records a change of a Customer's own fields. Fields that only the engine uses (numbers, default card) are changed
 * without this function and without a new version.
 */
export function recordCustomer(
  billing: Pick<CustomerBilling, "customer" | "events">,
  row: Customer,
  type: EventType,
  at: Instant,
): Customer {
  billing.customer = record(billing, row, type, at, (written) => ({ kind: "customer", row: written }));
  return billing.customer;
}
