import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { invoiceNumber, type Customer } from "../model/customer.ts";
import type { Buyer, Invoice, InvoiceLine, InvoiceReason, LineDraft, Party, Totals } from "../model/invoice.ts";
import { taxFor, type Billing, type LineTax } from "../tax/tax.ts";
import { newId } from "../../ids.ts";

export type InvoiceOrder = {
  /** Set if the id was assigned before the invoice was made. */
  id?: string | undefined;
  reason: InvoiceReason;
  subscriptionId: string | null;
  checkoutId: string | null;
  /** The number of the Subscription's billed period; null for lines within a period (rule S2). */
  periodNumber: number | null;
  /** Whether the period began after a gap (rule D8). */
  restarted?: boolean;
  span: { start: Instant; end: Instant } | null;
  currency: string;
  lines: readonly LineDraft[];
  /** Lines that waited for this invoice (rule S4); they come first. */
  waiting: readonly InvoiceLine[];
  /** The totals, with the part that the balance settles and the amount due, fixed beforehand; see `quote`. */
  totals: Totals;
  fieldAnswers: Invoice["fieldAnswers"];
  metadata: Invoice["metadata"];
  /** The billing data of a buyer that only typed an e-mail; null: the Customer's. */
  billing: Billing | null;
  /** For a Subscription that is past due: the next attempt at its open invoices. */
  nextAttemptAt?: Instant | null;
};

function seller({ legalName, name, address, taxId }: CustomerBilling["organization"]): Party {
  return { name: legalName ?? name, email: null, address, taxId };
}

function buyer(customer: Customer, own: Billing | null): Buyer {
  return { name: customer.name, email: customer.email, ...billingOf(customer, own) };
}

/**
 * The buyer's billing data: the data that was typed on a page, else the Customer's. A buyer that typed no address has
 * the Customer's (rule C12c).
 */
export function billingOf(
  { billingAddress, taxId, companyName }: Pick<Customer, "billingAddress" | "taxId" | "companyName">,
  own: Billing | null,
): Billing {
  if (own?.address) return own;
  return { address: billingAddress, taxId, companyName: own?.companyName ?? companyName };
}

/** The tax that new lines bear, chosen by the billing address (rule X3j). */
export function taxOn(
  { organization, customer }: Pick<CustomerBilling, "organization" | "customer">,
  own: Billing | null,
): LineTax | null {
  return taxFor(organization, billingOf(customer, own));
}

/** A new invoice, with the next number of the Customer (rule I1). */
export function draftOf(
  billing: Pick<CustomerBilling, "customer" | "numbers" | "organization">,
  order: InvoiceOrder,
  at: Instant,
): Invoice {
  const { organization, customer, numbers } = billing;
  numbers.invoice += 1;
  return {
    organizationId: organization.id,
    id: order.id ?? newId("inv"),
    number: invoiceNumber(organization.invoicePrefix, customer.id, numbers.invoice),
    status: "open",
    reason: order.reason,
    customerId: customer.id,
    subscriptionId: order.subscriptionId,
    checkoutId: order.checkoutId,
    periodNumber: order.periodNumber,
    restarted: order.restarted ?? false,
    currency: order.currency,
    locale: customer.locale,
    ...order.totals,
    balanceSources: null,
    amountPaid: 0,
    refundedAmount: 0,
    seller: seller(organization),
    buyer: buyer(customer, order.billing),
    periodStart: order.span?.start ?? null,
    periodEnd: order.span?.end ?? null,
    nextAttemptAt: order.nextAttemptAt ?? null,
    collections: 0,
    heldReason: null,
    paidAt: null,
    paidOutside: false,
    paymentNote: null,
    voidedAt: null,
    voidReason: null,
    fieldAnswers: order.fieldAnswers,
    metadata: order.metadata,
    version: 0,
    eventSequence: 0,
    createdAt: at,
    updatedAt: at,
  };
}
