import type { BenefitGrant } from "../domain/benefit.ts";
import type { Instant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { Customer } from "../domain/customer.ts";
import type { Dispute } from "../domain/dispute.ts";
import { emailOf, type Told } from "../domain/email.ts";
import type { EventType } from "../domain/event.ts";
import { BLANK_PARTY, type Invoice, type InvoiceLine } from "../domain/invoice.ts";
import type { Organization } from "../domain/organization.ts";
import type { Payment } from "../domain/payment.ts";
import type { Product } from "../domain/product.ts";
import type { GivenBack, Refund } from "../domain/refund.ts";
import { passNotice, withDerived, type Subscription } from "../domain/subscription.ts";
import type { WebhookEndpoint } from "../domain/webhook.ts";
import { newId } from "../ids.ts";
import { presentCheckout } from "../resources/checkout.ts";
import { presentCustomer } from "../resources/customer.ts";
import { presentDispute } from "../resources/dispute.ts";
import { presentInvoice } from "../resources/invoice.ts";
import { presentPayment } from "../resources/payment.ts";
import { presentProduct } from "../resources/product.ts";
import { presentRefund } from "../resources/refund.ts";
import { presentSubscription } from "../resources/subscription.ts";
import { presentWebhookEndpoint } from "../resources/webhook.ts";
import { benefitGrants } from "../store/benefit-grants.ts";
import { checkouts } from "../store/checkouts.ts";
import { customers } from "../store/customers.ts";
import type { Tx } from "../store/db.ts";
import { disputes } from "../store/disputes.ts";
import * as emails from "../store/emails.ts";
import { events } from "../store/events.ts";
import { invoices } from "../store/invoices.ts";
import { payments } from "../store/payments.ts";
import { products } from "../store/products.ts";
import { refunds } from "../store/refunds.ts";
import type { Table } from "../store/table.ts";
import { endpoints } from "../store/webhooks.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { checkoutUrl, invoiceUrl } from "./links.ts";
import { later, type Work } from "./work.ts";

/** What every resource that tells of its changes has. */
type Eventful = { organizationId: string; id: string; version: number; eventSequence: number; updatedAt: Instant };

/** They tell what is to come: nothing has changed, and an ETag must not either. */
const AHEAD: ReadonlySet<EventType> = new Set(["subscription.trial_ending", "subscription.renewal_upcoming"]);

/**
 * Writes a changed row and, in the same transaction, the event that shows the resource as it is then. `version` 0 is a new row.
 * Exactly one event a resource and change. Without one the row is written as it is: callers can't see what changed (and an
 * ETag must not change for it), but for a new version that the row brings along.
 */
async function record<Row extends Eventful>(
  tx: Tx,
  table: Table<Row>,
  row: Row,
  type: EventType | null,
  at: Instant,
  present: (row: Row) => object | Promise<object>,
): Promise<Row> {
  const isNew = row.version === 0;
  const step = (type && !AHEAD.has(type)) || isNew ? 1 : 0;
  const toldAt = later(at, row.updatedAt);
  const updatedAt = step ? toldAt : row.updatedAt;
  const next = { ...row, version: row.version + step, eventSequence: row.eventSequence + (type ? 1 : 0), updatedAt };
  if (isNew) table.insert(tx, next);
  else table.update(tx, next);
  if (type) {
    const { organizationId, id: resourceId, eventSequence: sequence } = next;
    events.insert(tx, {
      organizationId,
      id: newId("evt"),
      type,
      resourceId,
      sequence,
      data: await present(next),
      createdAt: toldAt,
    });
  }
  return next;
}

/** An advance settles the attempts of its own steps, and nobody waits for its e-mails: a worker that came at once would be in its way. */
const isAtRest = ({ clockTarget }: Organization) => clockTarget === null;

/** Tells the buyer as well, where the Organization wants that; what they are told is made when it is sent. */
function tellBuyer({ tx, organization, customer }: Work, told: Told, createdAt: Instant): void {
  const email = emailOf(told, organization.emailsOff);
  if (email === null) return;
  if (isAtRest(organization)) tx.wakes("emails");
  emails.queue(tx, { ...email, organizationId: organization.id, id: newId("eml"), customerId: customer.id, createdAt });
}

/** Due instant and end of access are derived anew with every write. */
export async function recordSubscription(
  work: Work,
  subscription: Subscription,
  type: EventType | null,
  at: Instant,
): Promise<Subscription> {
  const present = (row: Subscription) => presentSubscription(row, work.customer.externalId);
  const next = await record(work.tx, subscriptions, withDerived(passNotice(subscription, at)), type, at, present);
  if (type) tellBuyer(work, { type, subscription: next }, at);
  return next;
}

/** `attempt`: the payment by which it is paid, or is not; `back`: all that was given back of it, where it was paid before. */
export async function recordInvoice(
  work: Work,
  invoice: Invoice,
  lines: InvoiceLine[],
  type: EventType | null,
  at: Instant,
  attempt: Payment | null = null,
  back?: GivenBack,
): Promise<Invoice> {
  const told = work.customer.deletedAt === null ? {} : { buyer: BLANK_PARTY };
  const present = (row: Invoice) => presentInvoice({ ...row, ...told }, lines, invoiceUrl(work.ctx, row), back);
  const next = await record(work.tx, invoices, invoice, type, at, present);
  if (type) tellBuyer(work, { type, invoice: next, attempt }, at);
  return next;
}

/** A setup is no payment to anyone outside, so it tells nothing. */
export async function recordPayment(work: Work, payment: Payment, type: EventType | null, at: Instant): Promise<Payment> {
  const told = payment.kind === "setup" ? null : type;
  if (isAtRest(work.organization)) work.tx.wakes("payments", payment.checkAt);
  const next = await record(work.tx, payments, payment, told, at, presentPayment);
  if (told) tellBuyer(work, { type: told, payment: next }, at);
  return next;
}

export function recordRefund(work: Work, refund: Refund, type: EventType | null, at: Instant): Promise<Refund> {
  if (isAtRest(work.organization)) work.tx.wakes("refunds", refund.checkAt);
  return record(work.tx, refunds, refund, type, at, presentRefund);
}

export function recordDispute(work: Work, dispute: Dispute, type: EventType, at: Instant): Promise<Dispute> {
  return record(work.tx, disputes, dispute, type, at, presentDispute);
}

export function recordCheckout(
  place: Pick<Work, "ctx" | "tx"> & { customer: Customer | null },
  checkout: Checkout,
  type: EventType | null,
  at: Instant,
): Promise<Checkout> {
  const externalCustomerId = place.customer?.externalId ?? null;
  const present = (row: Checkout) => presentCheckout(row, { externalCustomerId, url: checkoutUrl(place.ctx, row), now: at });
  return record(place.tx, checkouts, checkout, type, at, present);
}

export function recordGrant(
  work: Work,
  grant: BenefitGrant,
  type: EventType,
  at: Instant,
  present: (grant: BenefitGrant) => object,
): Promise<BenefitGrant> {
  return record(work.tx, benefitGrants, grant, type, at, present);
}

/** A Customer's own fields; what only the engine uses (numbers, default card) is written without a new version. */
export function recordCustomer(tx: Tx, customer: Customer, type: EventType, at: Instant): Promise<Customer> {
  return record(tx, customers, customer, type, at, presentCustomer);
}

export function recordProduct(tx: Tx, product: Product, type: EventType, at: Instant): Promise<Product> {
  return record(tx, products, product, type, at, presentProduct);
}

export function recordEndpoint(tx: Tx, endpoint: WebhookEndpoint, type: EventType, at: Instant): Promise<WebhookEndpoint> {
  return record(tx, endpoints, endpoint, type, at, presentWebhookEndpoint);
}
