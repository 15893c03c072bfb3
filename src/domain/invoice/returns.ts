import type { Account } from "../billing/customer-billing.ts";
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
export function returnsOf(account: Account, invoiceId: string): Back {
  if (!account.invoices.isNew(invoiceId)) account.need({ part: "given_back", invoiceId });
  return backOf(account, invoiceId);
}

/** As `returnsOf`, from rows that another part has brought. */
function backOf(account: Account, invoiceId: string): Back {
  const disputes = account.disputes.where((dispute) => dispute.invoiceId === invoiceId);
  return {
    refunds: refundsOf(account, invoiceId),
    disputed: disputedOf(disputes),
    paymentId: chargeOf(account, invoiceId)?.id ?? null,
    lost: lostCharges(account),
    credits: creditsOf(
      account,
      account.lines.where((line) => line.invoiceId === invoiceId),
    ),
  };
}

/** The charge that paid an invoice; null if no card was charged. */
function chargeOf(account: Account, invoiceId: string): Payment | null {
  const paying = account.payments.where(
    (payment) => payment.invoiceId === invoiceId && payment.status === "succeeded" && isCharge(payment),
  );
  return paying[0] ?? null;
}

export const lostCharges = (account: Account): ReadonlySet<string> =>
  new Set(account.disputes.where(({ status }) => status === "lost").map(({ paymentId }) => paymentId));

const refundsOf = (account: Account, invoiceId: string) =>
  account.refunds.where((refund) => refund.invoiceId === invoiceId);

/** The credits of billed lines, on invoices or waiting. Credits on void invoices do not count (rule S5). */
function creditsOf(account: Account, billed: readonly InvoiceLine[]): LineCredit[] {
  return billed.flatMap((line) => {
    const crediting = account.lines.where((credit) => credit.creditedLineId === line.id && !isVoid(account, credit));
    return crediting.map((credit) => ({
      creditedLineId: line.id,
      amount: standingCredit(credit),
      netted: credit.invoiceId === line.invoiceId,
      sources: credit.sources ?? [],
    }));
  });
}

/** Credits of an invoice's lines that pending changes have fixed, but have not given yet (rule P1). */
export function pendingCreditsOf(account: Account, invoice: Invoice): LineCredit[] {
  const plans = account.changes.where(({ status }) => status === "pending").map(({ plan }) => plan);
  const lines = plans.flatMap((plan) => plan.lines).filter((line) => lineTotal(line) < 0);
  return lines.flatMap((line) => {
    const { creditedLineId } = line;
    if (creditedLineId === null || account.lines.get(creditedLineId)?.invoiceId !== invoice.id) return [];
    const amount = 0 - lineTotal(line);
    const sources = drawSources(fundsLeftOf(account, invoice), lostCharges(account), amount);
    return [{ creditedLineId, amount, netted: false, sources }];
  });
}

/** A line with its sources, ready to be stored (rule I6g). */
export const withSources = (account: Account, line: InvoiceLine): InvoiceLine => ({
  ...line,
  sources: sourcesOf(account, line),
});

/** The funds that are left of a paid invoice (rule I6e), of which all that was given back is loaded. */
export function fundsLeftOf(account: Account, invoice: Invoice): Fund[] {
  return fundsLeft({ invoice, lines: linesOf(account, invoice.id), ...backOf(account, invoice.id) });
}

/**
 * The sources of a line that is about to be stored (rule I6f). Null for a line that is no credit, and for a credit of a
 * line that waits or is on the same invoice: no money has paid that other line yet.
 */
function sourcesOf(account: Account, line: InvoiceLine): SourcePart[] | null {
  const amount = 0 - lineTotal(line);
  if (amount <= 0) return null;
  if (line.creditedLineId === null) return [{ ...GRANTED, amount }];
  const credited = findCredited(account, line.creditedLineId);
  if (credited.invoiceId === null || credited.invoiceId === line.invoiceId) return null;
  const invoice = account.invoices.get(credited.invoiceId)!;
  return drawSources(fundsLeftOf(account, invoice), lostCharges(account), amount);
}

/** A credited line. If the line is on an invoice, all that was given back of the invoice is loaded, too. */
function findCredited(account: Account, lineId: string): InvoiceLine {
  const { parts } = account.loaded;
  const known = account.lines.get(lineId);
  const brought: Part[] = [{ part: "credited", lineId }];
  if (known?.invoiceId) brought.push({ part: "given_back", invoiceId: known.invoiceId });
  if (known?.subscriptionId)
    brought.push({ part: "period", subscriptionId: known.subscriptionId, end: known.periodEnd });
  const isLoaded =
    known &&
    (known.invoiceId === null ||
      account.invoices.isNew(known.invoiceId) ||
      brought.some((part) => parts.has(keyOf(part))));
  if (!isLoaded) account.need({ part: "credited", lineId });
  const line = account.lines.get(lineId);
  if (!line) throw new Error(`no credited line ${lineId}`);
  return line;
}

function isVoid(account: Account, { id, invoiceId }: InvoiceLine): boolean {
  if (invoiceId === null) return false;
  const invoice = account.invoices.get(invoiceId);
  if (!invoice) throw new Error(`the invoice of line ${id} was not loaded`);
  return invoice.status === "void";
}

type InProgress = Pick<Subscription, "id" | "currentPeriodStart" | "currentPeriodEnd">;

/** A Subscription's lines that bill up to the end of its period in progress, without those of void invoices. */
function billingOfPeriod(account: Account, { id: subscriptionId, currentPeriodEnd: end }: InProgress): InvoiceLine[] {
  if (!account.subscriptions.isNew(subscriptionId)) account.need({ part: "period", subscriptionId, end });
  const bills = account.invoices.where(
    (invoice) => invoice.subscriptionId === subscriptionId && invoice.periodEnd === end && invoice.status !== "void",
  );
  const places = new Set<string | null>([null, ...bills.map(({ id }) => id)]);
  return account.lines.where(
    (line) => line.subscriptionId === subscriptionId && line.periodEnd === end && places.has(line.invoiceId),
  );
}

/** The line that the paid rate of the period in progress comes from (rule P10). */
export function findRateLine(account: Account, subscription: InProgress): InvoiceLine | null {
  const lines = billingOfPeriod(account, subscription);
  return rateLineOf(lines, creditsOf(account, lines), subscription);
}

/** The line that the paid rate comes from, with the part that can still be credited. */
export function findBilledLine(account: Account, subscription: InProgress): BilledLine | null {
  const line = findRateLine(account, subscription);
  if (!line) return null;
  const refunds = line.invoiceId === null ? [] : refundsOf(account, line.invoiceId);
  const refunded = refundedLines(refunds);
  return { line, left: leftOf(line, refunded, []) };
}

type Numbered = Pick<Subscription, "id" | "periodNumber">;

/** Whether an unsettled refund has lowered the paid rate of this period of the Subscription. */
export function isRateLowered(account: Account, { id, periodNumber }: Numbered): boolean {
  account.need({ part: "unsettled_refunds" });
  const lowering = account.refunds.where(
    (refund) => refund.checkAt !== null && refund.periodNumber === periodNumber && refund.rateLowered > 0,
  );
  return lowering.some(({ invoiceId }) => invoiceId !== null && account.invoices.get(invoiceId)?.subscriptionId === id);
}

/**
 * Whether an open dispute may lower the paid rate of the period in progress: a disputed charge, or credit from it, has
 * paid for the line that the rate comes from (rule D7b).
 */
export function isRateAtStake(account: Account, subscription: InProgress): boolean {
  const open = account.disputes.where(({ status }) => status === "open");
  if (open.length === 0) return false;
  const invoice = rateInvoiceOf(account, subscription);
  if (!invoice) return false;
  return fundsLeftOf(account, invoice).some(({ paymentId }) => open.some((dispute) => dispute.paymentId === paymentId));
}

/** The paid invoice of the line that the paid rate comes from; null if there is none. */
export function rateInvoiceOf(account: Account, subscription: InProgress): Invoice | null {
  const line = findRateLine(account, subscription);
  const invoice = line?.invoiceId ? account.invoices.get(line.invoiceId) : null;
  return invoice?.status === "paid" ? invoice : null;
}
