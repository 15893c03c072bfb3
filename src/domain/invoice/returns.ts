import type { CustomerBilling } from "../billing/customer-billing.ts";
import { keyOf, type Part } from "../billing/parts.ts";
import { GRANTED, type SourcePart } from "../model/credit-source.ts";
import { disputedOf } from "../model/dispute.ts";
import { isCharge, type Payment } from "../model/payment.ts";
import { refundedLines } from "../model/refund.ts";
import type { Subscription } from "../model/subscription.ts";
import type { Back } from "../model/invoice-returns.ts";
import { linesOf } from "./bills.ts";
import { leftOf, rateLineOf, standingCredit, type BilledLine, type LineCredit } from "../model/line-credit.ts";
import { drawSources, fundsLeft, type Fund } from "../model/invoice-funds.ts";
import { lineTotal, type Invoice, type InvoiceLine } from "../model/invoice.ts";

/** All that was given back of an invoice: refunds (failed ones too), disputes, and credits of its lines. */
export function returnsOf(billing: CustomerBilling, invoiceId: string): Back {
  if (!billing.invoices.isNew(invoiceId)) billing.need({ part: "given_back", invoiceId });
  return backOf(billing, invoiceId);
}

/** As `returnsOf`, from rows that another part has brought. */
function backOf(billing: CustomerBilling, invoiceId: string): Back {
  const disputes = billing.disputes.where((dispute) => dispute.invoiceId === invoiceId);
  return {
    refunds: refundsOf(billing, invoiceId),
    disputed: disputedOf(disputes),
    paymentId: chargeOf(billing, invoiceId)?.id ?? null,
    lost: lostCharges(billing),
    credits: creditsOf(
      billing,
      billing.lines.where((line) => line.invoiceId === invoiceId),
    ),
  };
}

/** The charge that paid an invoice; null if no card was charged. */
function chargeOf(billing: Pick<CustomerBilling, "payments">, invoiceId: string): Payment | null {
  const paying = billing.payments.where(
    (payment) => payment.invoiceId === invoiceId && payment.status === "succeeded" && isCharge(payment),
  );
  return paying[0] ?? null;
}

export const lostCharges = (billing: Pick<CustomerBilling, "disputes">): ReadonlySet<string> =>
  new Set(billing.disputes.where(({ status }) => status === "lost").map(({ paymentId }) => paymentId));

const refundsOf = (billing: Pick<CustomerBilling, "refunds">, invoiceId: string) =>
  billing.refunds.where((refund) => refund.invoiceId === invoiceId);

/** The credits of billed lines, on invoices or waiting. Credits on void invoices do not count (rule S5). */
function creditsOf(billing: Pick<CustomerBilling, "invoices" | "lines">, billed: readonly InvoiceLine[]): LineCredit[] {
  return billed.flatMap((line) => {
    const crediting = billing.lines.where((credit) => credit.creditedLineId === line.id && !isVoid(billing, credit));
    return crediting.map((credit) => ({
      creditedLineId: line.id,
      amount: standingCredit(credit),
      netted: credit.invoiceId === line.invoiceId,
      sources: credit.sources ?? [],
    }));
  });
}

/** Credits of an invoice's lines that pending changes have fixed, but have not given yet (rule P1). */
export function pendingCreditsOf(billing: CustomerBilling, invoice: Invoice): LineCredit[] {
  const plans = billing.changes.where(({ status }) => status === "pending").map(({ plan }) => plan);
  const lines = plans.flatMap((plan) => plan.lines).filter((line) => lineTotal(line) < 0);
  return lines.flatMap((line) => {
    const { creditedLineId } = line;
    if (creditedLineId === null || billing.lines.get(creditedLineId)?.invoiceId !== invoice.id) return [];
    const amount = 0 - lineTotal(line);
    const sources = drawSources(fundsLeftOf(billing, invoice), lostCharges(billing), amount);
    return [{ creditedLineId, amount, netted: false, sources }];
  });
}

/** A line with its sources, ready to be stored (rule I6g). */
export const withSources = (billing: CustomerBilling, line: InvoiceLine): InvoiceLine => ({
  ...line,
  sources: sourcesOf(billing, line),
});

/** The funds that are left of a paid invoice (rule I6e), of which all that was given back is loaded. */
export function fundsLeftOf(billing: CustomerBilling, invoice: Invoice): Fund[] {
  return fundsLeft({ invoice, lines: linesOf(billing, invoice.id), ...backOf(billing, invoice.id) });
}

/**
 * The sources of a line that is about to be stored (rule I6f). Null for a line that is no credit, and for a credit of a
 * line that waits or is on the same invoice: no money has paid that other line yet.
 */
function sourcesOf(billing: CustomerBilling, line: InvoiceLine): SourcePart[] | null {
  const amount = 0 - lineTotal(line);
  if (amount <= 0) return null;
  if (line.creditedLineId === null) return [{ ...GRANTED, amount }];
  const credited = findCredited(billing, line.creditedLineId);
  if (credited.invoiceId === null || credited.invoiceId === line.invoiceId) return null;
  const invoice = billing.invoices.get(credited.invoiceId)!;
  return drawSources(fundsLeftOf(billing, invoice), lostCharges(billing), amount);
}

/** A credited line. If the line is on an invoice, all that was given back of the invoice is loaded, too. */
function findCredited(
  billing: Pick<CustomerBilling, "invoices" | "lines" | "loaded" | "need">,
  lineId: string,
): InvoiceLine {
  const { parts } = billing.loaded;
  const known = billing.lines.get(lineId);
  const brought: Part[] = [{ part: "credited", lineId }];
  if (known?.invoiceId) brought.push({ part: "given_back", invoiceId: known.invoiceId });
  if (known?.subscriptionId)
    brought.push({ part: "period", subscriptionId: known.subscriptionId, end: known.periodEnd });
  const isLoaded =
    known &&
    (known.invoiceId === null ||
      billing.invoices.isNew(known.invoiceId) ||
      brought.some((part) => parts.has(keyOf(part))));
  if (!isLoaded) billing.need({ part: "credited", lineId });
  const line = billing.lines.get(lineId);
  if (!line) throw new Error(`no credited line ${lineId}`);
  return line;
}

function isVoid(billing: Pick<CustomerBilling, "invoices">, { id, invoiceId }: InvoiceLine): boolean {
  if (invoiceId === null) return false;
  const invoice = billing.invoices.get(invoiceId);
  if (!invoice) throw new Error(`the invoice of line ${id} was not loaded`);
  return invoice.status === "void";
}

type InProgress = Pick<Subscription, "id" | "currentPeriodStart" | "currentPeriodEnd">;

/** A Subscription's lines that bill up to the end of its period in progress, without those of void invoices. */
function billingOfPeriod(
  billing: Pick<CustomerBilling, "invoices" | "lines" | "need" | "subscriptions">,
  { id: subscriptionId, currentPeriodEnd: end }: InProgress,
): InvoiceLine[] {
  if (!billing.subscriptions.isNew(subscriptionId)) billing.need({ part: "period", subscriptionId, end });
  const bills = billing.invoices.where(
    (invoice) => invoice.subscriptionId === subscriptionId && invoice.periodEnd === end && invoice.status !== "void",
  );
  const invoiceIds = new Set<string | null>([null, ...bills.map(({ id }) => id)]);
  return billing.lines.where(
    (line) => line.subscriptionId === subscriptionId && line.periodEnd === end && invoiceIds.has(line.invoiceId),
  );
}

/** The line that the paid rate of the period in progress comes from (rule P10). */
export function findRateLine(
  billing: Pick<CustomerBilling, "invoices" | "lines" | "need" | "subscriptions">,
  subscription: InProgress,
): InvoiceLine | null {
  const lines = billingOfPeriod(billing, subscription);
  return rateLineOf(lines, creditsOf(billing, lines), subscription);
}

/** The line that the paid rate comes from, with the part that can still be credited. */
export function findBilledLine(billing: CustomerBilling, subscription: InProgress): BilledLine | null {
  const line = findRateLine(billing, subscription);
  if (!line) return null;
  const refunds = line.invoiceId === null ? [] : refundsOf(billing, line.invoiceId);
  const refunded = refundedLines(refunds);
  return { line, left: leftOf(line, refunded, []) };
}

type Numbered = Pick<Subscription, "id" | "periodNumber">;

/** Whether an unsettled refund has lowered the paid rate of this period of the Subscription. */
export function isRateLowered(
  billing: Pick<CustomerBilling, "invoices" | "need" | "refunds">,
  { id, periodNumber }: Numbered,
): boolean {
  billing.need({ part: "unsettled_refunds" });
  const lowering = billing.refunds.where(
    (refund) => refund.checkAt !== null && refund.periodNumber === periodNumber && refund.rateLowered > 0,
  );
  return lowering.some(({ invoiceId }) => invoiceId !== null && billing.invoices.get(invoiceId)?.subscriptionId === id);
}

/**
 * Whether an open dispute may lower the paid rate of the period in progress: a disputed charge, or credit from it, has
 * paid for the line that the rate comes from (rule D7b).
 */
export function isRateAtStake(billing: CustomerBilling, subscription: InProgress): boolean {
  const open = billing.disputes.where(({ status }) => status === "open");
  if (open.length === 0) return false;
  const invoice = rateInvoiceOf(billing, subscription);
  if (!invoice) return false;
  return fundsLeftOf(billing, invoice).some(({ paymentId }) => open.some((dispute) => dispute.paymentId === paymentId));
}

/** The paid invoice of the line that the paid rate comes from; null if there is none. */
export function rateInvoiceOf(
  billing: Pick<CustomerBilling, "invoices" | "lines" | "need" | "subscriptions">,
  subscription: InProgress,
): Invoice | null {
  const line = findRateLine(billing, subscription);
  const invoice = line?.invoiceId ? billing.invoices.get(line.invoiceId) : null;
  return invoice?.status === "paid" ? invoice : null;
}
