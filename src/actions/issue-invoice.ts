import type { Balance, BalanceReason } from "../domain/balance.ts";
import type { Instant } from "../domain/calendar.ts";
import { minimumCharge } from "../domain/currency.ts";
import { invoiceNumber, type Customer } from "../domain/customer.ts";
import { holdsOf, totalsWith, type Hold, type QuotedLine } from "../domain/hold.ts";
import {
  linesThatWaitAgain,
  type Invoice,
  type InvoiceLine,
  type InvoiceReason,
  type LineDraft,
  type Party,
  type Totals,
} from "../domain/invoice.ts";
import { issued, paid, paidOutside, unapplied, voided, type TransferDraft, type TransferKind } from "../domain/ledger.ts";
import type { Amount } from "../domain/money.ts";
import type { Organization } from "../domain/organization.ts";
import type { Metadata } from "../domain/product.ts";
import { taxFor, type Billing, type LineTax } from "../domain/tax.ts";
import { newId } from "../ids.ts";
import { allBalanceEntries, listBalances, moveBalance } from "../store/balances.ts";
import type { FrozenPlan } from "../domain/frozen-plan.ts";
import { pendingPlans } from "../store/changes.ts";
import { disputedCredits } from "../store/credits.ts";
import { countInvoice } from "../store/customers.ts";
import type { Queryable } from "../store/db.ts";
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
  /** Of a buyer who only typed an e-mail; null: the Customer's. */
  billing: Billing | null;
  /** Of a Subscription that is past due: when its open invoices are tried next. */
  nextAttemptAt?: Instant | null;
};

type Place = Pick<Work, "organization" | "customer"> & { tx: Queryable };

/**
 * What these lines come to now. The balance is used by renewals and changes, never by Checkouts (rule M4); what a change that is being
 * paid will take of it is not there for others.
 */
export async function quote(place: Place, currency: string, lines: readonly QuotedLine[]): Promise<Totals> {
  return quoteFrom(await fundsOf(place), currency, lines);
}

/** As `quote`, for the last invoice of a Subscription. */
export async function quoteLast(place: Place, currency: string, lines: readonly QuotedLine[]): Promise<Totals> {
  return quoteFrom(await fundsOf(place), currency, lines, true);
}

/** A Customer's balances, the changes that are being paid and reserve a part of them, and the credit that can't be spent. */
export type Funds = { balances: Balance[]; pending: FrozenPlan[]; holds: Hold[] };

export async function fundsOf({ tx, organization, customer }: Place): Promise<Funds> {
  const [balances, pending, holds] = await Promise.all([
    listBalances(tx, organization.id, customer.id),
    pendingPlans(tx, organization.id, customer.id),
    readHolds(tx, organization.id, customer.id),
  ]);
  return { balances, pending, holds };
}

/** The credit that came from disputed or lost charges (rule D7); few Customers have any, so the entries are read for those alone. */
export async function readHolds(db: Queryable, organizationId: string, customerId: string): Promise<Hold[]> {
  const disputed = await disputedCredits(db, organizationId, customerId);
  return disputed.length === 0 ? [] : holdsOf(disputed, await allBalanceEntries(db, organizationId, customerId));
}

/** As `quote`, with what was read once for several. */
export function quoteFrom({ balances, pending, holds }: Funds, currency: string, lines: readonly QuotedLine[], last = false): Totals {
  const balance = balances.find((each) => each.currency === currency)?.amount ?? 0;
  const totals = pending.filter((plan) => plan.currency === currency).map((plan) => plan.totals);
  const free = freeOf(balance, totals);
  const reserved = Math.max(balance - free, 0);
  const hold = holds.find((each) => each.currency === currency);
  return totalsWith(lines, { balance: free, reserved, hold }, minimumCharge(currency), last);
}

/**
 * What of a balance no change that is being paid takes: of credit what they use is left out, of a debt what they collect. Never beyond
 * zero, where the balance has changed since. One that nothing is due for collects no debt: it only adds to the balance.
 */
function freeOf(balance: Amount, pending: readonly Totals[]): Amount {
  const used = pending.map(({ balanceApplied }) => Math.max(balanceApplied, 0));
  const collected = pending.map(({ balanceApplied, amountDue }) => (amountDue > 0 ? Math.max(0 - balanceApplied, 0) : 0));
  const taken = (amounts: Amount[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  return balance > 0 ? Math.max(balance - taken(used), 0) : Math.min(balance + taken(collected), 0);
}

function seller({ legalName, name, address, taxId }: Organization): Party {
  return { name: legalName ?? name, email: null, address, taxId };
}

function buyer(customer: Customer, own: Billing | null): Party {
  return { name: customer.name, email: customer.email, ...billingOf(customer, own) };
}

/** Where a buyer is: where they said themselves, if they only typed an e-mail, else where the Customer is. */
export function billingOf({ billingAddress, taxId }: Customer, own: Billing | null): Billing {
  return own ?? { address: billingAddress, taxId };
}

/** What new lines bear, chosen by the billing address (rule X3). */
export function taxOn({ organization, customer }: Pick<Work, "organization" | "customer">, own: Billing | null): LineTax | null {
  return taxFor(organization, billingOf(customer, own));
}

/** Writes what moved into the ledger; each source once a kind (rule I4). */
export function post(work: Work, kind: TransferKind, sourceId: string, currency: string, transfers: TransferDraft[], at: Instant): void {
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
  };
}

/** Keeps lines for the Subscription's next invoice (rules P, S4). */
export function keepLines(work: Work, subscriptionId: string, drafts: readonly LineDraft[]): void {
  for (const [position, draft] of drafts.entries()) invoiceLines.insert(work.tx, newLine(work, draft, subscriptionId, null, position));
}

/** As `keepLines`, for lines of a void invoice. A credit among them that gives back another one of them goes on to do so. */
function keepAgain(work: Work, subscriptionId: string, lines: readonly InvoiceLine[]): void {
  const kept = new Map<string, string>();
  for (const [position, line] of lines.entries()) {
    const creditedLineId = line.creditedLineId && (kept.get(line.creditedLineId) ?? line.creditedLineId);
    const again = newLine(work, { ...line, creditedLineId }, subscriptionId, null, position);
    kept.set(line.id, again.id);
    invoiceLines.insert(work.tx, again);
  }
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

function move(work: Work, invoice: Invoice, amount: number, reason: BalanceReason, at: Instant): void {
  const { organizationId, customerId, currency, id: invoiceId } = invoice;
  moveBalance(work.tx, { organizationId, customerId, currency, amount, reason, invoiceId, createdAt: at });
}

function settled(invoice: Invoice, at: Instant): Invoice {
  return { ...invoice, status: "paid", amountPaid: invoice.amountDue, nextAttemptAt: null, paidAt: at };
}

/** What was due has been taken, or nothing was due (rule S3). */
export async function payInvoice(work: Work, { invoice, lines }: Bill, at: Instant): Promise<Bill> {
  post(work, "invoice_paid", invoice.id, invoice.currency, paid(invoice), at);
  return { invoice: await recordInvoice(work, settled(invoice, at), lines, "invoice.paid", at), lines };
}

/** What was due came in without a payment provider; there is no payment for it. */
export async function payInvoiceOutside(work: Work, { invoice, lines }: Bill, note: string | null, at: Instant): Promise<Bill> {
  post(work, "invoice_paid_outside", invoice.id, invoice.currency, paidOutside(invoice), at);
  const next: Invoice = { ...settled(invoice, at), paidOutside: true, paymentNote: note };
  return { invoice: await recordInvoice(work, next, lines, "invoice.paid", at), lines };
}

/** Nobody has to pay it any more; what the balance had settled goes back (rule S5). */
export async function voidInvoice(work: Work, { invoice, lines }: Bill, at: Instant, reason: string | null = null): Promise<Bill> {
  post(work, "invoice_voided", invoice.id, invoice.currency, voided(invoice), at);
  move(work, invoice, invoice.balanceApplied, "invoice_voided", at);
  keepCredits(work, invoice, lines);
  const next: Invoice = { ...invoice, status: "void", nextAttemptAt: null, voidedAt: at, voidReason: reason };
  return { invoice: await recordInvoice(work, next, lines, "invoice.voided", at), lines };
}

function keepCredits(work: Work, { subscriptionId }: Invoice, lines: readonly InvoiceLine[]): void {
  if (subscriptionId !== null) keepAgain(work, subscriptionId, linesThatWaitAgain(lines));
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
