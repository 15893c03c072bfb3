import type { Account } from "../account/account.ts";
import { recordInvoice } from "../account/record.ts";
import { moveBalance } from "../balance/move.ts";
import type { Instant } from "../calendar.ts";
import { invoiceNumber, type Customer } from "../customer/customer.ts";
import type { Invoice, InvoiceLine, InvoiceReason, LineDraft, Party, Totals } from "./invoice.ts";
import { issued } from "../ledger/ledger.ts";
import { post } from "../ledger/post.ts";
import { taxFor, type Billing, type LineTax } from "../tax/tax.ts";
import { newId } from "../../ids.ts";
import { newLine, type Bill } from "./bills.ts";
import { payInvoice } from "./pay.ts";

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
  metadata: Invoice["metadata"];
  /** The billing data of a buyer that only typed an e-mail; null: the Customer's. */
  billing: Billing | null;
  /** For a Subscription that is past due: the next attempt at its open invoices. */
  nextAttemptAt?: Instant | null;
};

function seller({ legalName, name, address, taxId }: Account["organization"]): Party {
  return { name: legalName ?? name, email: null, address, taxId };
}

function buyer(customer: Customer, own: Billing | null): Party {
  return { name: customer.name, email: customer.email, ...billingOf(customer, own) };
}

/** The buyer's billing data: the data that was typed on a page, else the Customer's. */
export function billingOf(
  { billingAddress, taxId }: Pick<Customer, "billingAddress" | "taxId">,
  own: Billing | null,
): Billing {
  return own ?? { address: billingAddress, taxId };
}

/** The tax that new lines bear, chosen by the billing address (rule X3). */
export function taxOn({ organization, customer }: Account, own: Billing | null): LineTax | null {
  return taxFor(organization, billingOf(customer, own));
}

/** Keeps lines for the Subscription's next invoice (rules P, S4). */
export function keepLines(account: Account, subscriptionId: string, drafts: readonly LineDraft[]): void {
  for (const [position, draft] of drafts.entries()) {
    account.lines.put(newLine(account, draft, { subscriptionId, invoiceId: null, position }));
  }
}

/**
 * Issues an invoice: takes a number (rule I1), posts the amounts (rule I4) and uses the balance. An invoice with an
 * amount due of 0 is paid at once without a provider call (rule S3).
 */
export function issueInvoice(account: Account, order: InvoiceOrder, at: Instant): Bill {
  const draft = draftOf(account, order, at);
  const { id: invoiceId } = draft;
  const { subscriptionId, waiting } = order;
  const lines = [
    ...waiting.map((line, position) => ({ ...line, invoiceId, position })),
    ...order.lines.map((line, n) =>
      newLine(account, line, { subscriptionId, invoiceId, position: waiting.length + n }),
    ),
  ];
  const invoice = recordInvoice(account, draft, lines, "invoice.created", at);
  for (const line of lines) account.lines.put(line);
  post(account, "invoice_issued", invoiceId, order.currency, issued(invoice), at);
  const { currency, balanceApplied } = invoice;
  moveBalance(account, { currency, amount: -balanceApplied, reason: "invoice", invoiceId, createdAt: at });
  return invoice.amountDue === 0 ? payInvoice(account, { invoice, lines }, at) : { invoice, lines };
}

function draftOf(account: Account, order: InvoiceOrder, at: Instant): Invoice {
  const { organization, customer, numbers } = account;
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
    ...order.totals,
    amountPaid: 0,
    refundedAmount: 0,
    seller: seller(organization),
    buyer: buyer(customer, order.billing),
    periodStart: order.span?.start ?? null,
    periodEnd: order.span?.end ?? null,
    nextAttemptAt: order.nextAttemptAt ?? null,
    paidAt: null,
    paidOutside: false,
    paymentNote: null,
    voidedAt: null,
    voidReason: null,
    metadata: order.metadata,
    version: 0,
    eventSequence: 0,
    createdAt: at,
    updatedAt: at,
  };
}
