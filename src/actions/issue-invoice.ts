import type { Instant } from "../domain/calendar.ts";
import { minimumCharge } from "../domain/currency.ts";
import { invoiceNumber, type Customer } from "../domain/customer.ts";
import {
  totalsOf,
  type Invoice,
  type InvoiceLine,
  type InvoiceReason,
  type LineDraft,
  type Party,
  type Totals,
} from "../domain/invoice.ts";
import { issued, paid, unapplied, voided, type TransferDraft, type TransferKind } from "../domain/ledger.ts";
import type { Organization } from "../domain/organization.ts";
import type { Metadata } from "../domain/product.ts";
import { newId } from "../ids.ts";
import { balanceIn, moveBalance, type BalanceEntry } from "../store/balances.ts";
import { pendingPlans } from "../store/changes.ts";
import { countInvoice } from "../store/customers.ts";
import { invoiceLines, linesOf } from "../store/invoice-lines.ts";
import { invoices } from "../store/invoices.ts";
import { ledger } from "../store/ledger.ts";
import { recordInvoice } from "./record.ts";
import type { Work } from "./work.ts";

/** An invoice with its lines, in their order. */
export type Bill = { invoice: Invoice; lines: InvoiceLine[] };

export type InvoiceOrder = {
  /** Where it was named before it is made. */
  id?: string | undefined;
  reason: InvoiceReason;
  subscriptionId: string | null;
  checkoutId: string | null;
  /** The Subscription's period that is billed; null for lines within a period (rule S2). */
  periodNumber: number | null;
  span: { start: Instant; end: Instant } | null;
  currency: string;
  lines: readonly LineDraft[];
  /** Lines that waited for this invoice (rule S4); they come first. */
  waiting: readonly InvoiceLine[];
  /** What the balance settles and what is due, fixed before; see `quote`. */
  totals: Totals;
  metadata: Metadata;
  /** Of a Subscription that is past due: when its open invoices are tried next. */
  nextAttemptAt?: Instant | null;
};

/**
 * What these lines come to now. The balance is used by renewals and changes, never by Checkouts (rule M4); what a change that is being
 * paid will take of it is not there for others.
 */
export async function quote(work: Work, currency: string, lines: readonly { amount: number }[]): Promise<Totals> {
  const { tx, organization, customer } = work;
  const balance = await balanceIn(tx, organization.id, customer.id, currency);
  const pending = (await pendingPlans(tx, organization.id, customer.id)).filter((plan) => plan.currency === currency);
  const reserved = pending.reduce((sum, plan) => sum + Math.max(plan.totals.balanceApplied, 0), 0);
  return totalsOf(lines, balance - reserved, minimumCharge(currency));
}

function seller({ legalName, name, address, taxId }: Organization): Party {
  return { name: legalName ?? name, email: null, address, taxId };
}

function buyer({ name, email, billingAddress, taxId }: Customer): Party {
  return { name, email, address: billingAddress, taxId };
}

function post(work: Work, kind: TransferKind, sourceId: string, currency: string, transfers: TransferDraft[], at: Instant): void {
  const common = { organizationId: work.organization.id, customerId: work.customer.id, kind, sourceId, currency, createdAt: at };
  for (const transfer of transfers) ledger.insert(work.tx, { ...common, ...transfer, id: newId("led") });
}

function newLine(work: Work, draft: LineDraft, subscriptionId: string | null, invoiceId: string | null, position: number): InvoiceLine {
  return {
    ...draft,
    organizationId: work.organization.id,
    id: newId("iln"),
    invoiceId,
    subscriptionId,
    position,
    discountAmount: 0,
    taxAmount: 0,
  };
}

/** Keeps lines for the Subscription's next invoice (rules P, S4). */
export function keepLines(work: Work, subscriptionId: string, drafts: readonly LineDraft[]): void {
  for (const [position, draft] of drafts.entries()) invoiceLines.insert(work.tx, newLine(work, draft, subscriptionId, null, position));
}

/**
 * Makes an invoice for good: numbered (rule I1), posted (rule I4), its share of the balance taken. With nothing due it is paid at
 * once without a provider call (rule S3).
 */
export async function issueInvoice(work: Work, order: InvoiceOrder, at: Instant): Promise<Bill> {
  const { tx, organization, customer } = work;
  const sequence = await countInvoice(tx, organization.id, customer.id);
  const id = order.id ?? newId("inv");
  const draft: Invoice = {
    organizationId: organization.id,
    id,
    number: invoiceNumber(organization.invoicePrefix, customer.id, sequence),
    status: "open",
    reason: order.reason,
    customerId: customer.id,
    subscriptionId: order.subscriptionId,
    checkoutId: order.checkoutId,
    periodNumber: order.periodNumber,
    currency: order.currency,
    ...order.totals,
    amountPaid: 0,
    refundedAmount: 0,
    seller: seller(organization),
    buyer: buyer(customer),
    periodStart: order.span?.start ?? null,
    periodEnd: order.span?.end ?? null,
    nextAttemptAt: order.nextAttemptAt ?? null,
    paidAt: null,
    voidedAt: null,
    metadata: order.metadata,
    version: 0,
    eventSequence: 0,
    createdAt: at,
    updatedAt: at,
  };
  const lines = [
    ...order.waiting.map((line, position) => ({ ...line, invoiceId: id, position })),
    ...order.lines.map((line, n) => newLine(work, line, order.subscriptionId, id, order.waiting.length + n)),
  ];
  const invoice = await recordInvoice(work, draft, lines, "invoice.created", at);
  for (const line of lines) (line.position < order.waiting.length ? invoiceLines.update : invoiceLines.insert)(tx, line);
  post(work, "invoice_issued", id, order.currency, issued(invoice), at);
  move(work, invoice, -invoice.balanceApplied, "invoice", at);
  return invoice.amountDue === 0 ? payInvoice(work, { invoice, lines }, at) : { invoice, lines };
}

function move(work: Work, invoice: Invoice, amount: number, reason: BalanceEntry["reason"], at: Instant): void {
  const { organizationId, customerId, currency, id: invoiceId } = invoice;
  moveBalance(work.tx, { organizationId, customerId, currency, amount, reason, invoiceId, createdAt: at });
}

/** What was due has been taken, or nothing was due (rule S3). */
export async function payInvoice(work: Work, { invoice, lines }: Bill, at: Instant): Promise<Bill> {
  const settled: Invoice = { ...invoice, status: "paid", amountPaid: invoice.amountDue, nextAttemptAt: null, paidAt: at };
  post(work, "invoice_paid", invoice.id, invoice.currency, paid(invoice), at);
  return { invoice: await recordInvoice(work, settled, lines, "invoice.paid", at), lines };
}

/** Nobody has to pay it any more; what the balance had settled goes back (rule S5). */
export async function voidInvoice(work: Work, { invoice, lines }: Bill, at: Instant): Promise<Bill> {
  post(work, "invoice_voided", invoice.id, invoice.currency, voided(invoice), at);
  move(work, invoice, invoice.balanceApplied, "invoice_voided", at);
  return {
    invoice: await recordInvoice(work, { ...invoice, status: "void", nextAttemptAt: null, voidedAt: at }, lines, "invoice.voided", at),
    lines,
  };
}

/** Money that arrived for an invoice that is void goes whole to the balance (rule S5). */
export function bankUnapplied(work: Work, invoice: Invoice, paymentId: string, amount: number, at: Instant): void {
  post(work, "unapplied_payment", paymentId, invoice.currency, unapplied(amount), at);
  move(work, invoice, amount, "unapplied_payment", at);
}

export async function readBill(work: Work, invoiceId: string): Promise<Bill | null> {
  const invoice = await invoices.find(work.tx, work.organization.id, invoiceId);
  return invoice && { invoice, lines: await linesOf(work.tx, work.organization.id, invoiceId) };
}
