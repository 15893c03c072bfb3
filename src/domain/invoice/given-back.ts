import type { Account } from "../account/account.ts";
import { leftOf, rateLineOf, type BilledLine, type LineCredit } from "./credit.ts";
import { disputedOf } from "../dispute/dispute.ts";
import { lineTotal, type InvoiceLine } from "./invoice.ts";
import { refundedLines, type GivenBack, type Refund } from "../refund/refund.ts";
import type { Subscription } from "../subscription/subscription.ts";

export type Back = Omit<GivenBack, "refunds"> & { refunds: readonly Refund[] };

/** All that was given back of an invoice: refunds (failed ones too), disputes, and credits of its lines. */
export function givenBackOf(account: Account, invoiceId: string): Back {
  if (!account.invoices.isNew(invoiceId)) account.need({ part: "given_back", invoiceId });
  const disputes = account.disputes.where((dispute) => dispute.invoiceId === invoiceId);
  return {
    refunds: refundsOf(account, invoiceId),
    disputed: disputedOf(disputes),
    credits: creditsOf(
      account,
      account.lines.where((line) => line.invoiceId === invoiceId),
    ),
  };
}

const refundsOf = (account: Account, invoiceId: string) =>
  account.refunds.where((refund) => refund.invoiceId === invoiceId);

/** The credits of billed lines, on invoices or waiting. Credits on void invoices do not count (rule S5). */
function creditsOf(account: Account, billed: readonly InvoiceLine[]): LineCredit[] {
  return billed.flatMap((line) => {
    const crediting = account.lines.where((credit) => credit.creditedLineId === line.id && !isVoid(account, credit));
    const byPlace = Map.groupBy(crediting, (credit) => credit.invoiceId === line.invoiceId);
    return [...byPlace].map(([netted, credits]) => {
      const amount = credits.reduce((sum, credit) => sum - lineTotal(credit), 0);
      return { creditedLineId: line.id, amount, netted };
    });
  });
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
  return lowering.some(({ invoiceId }) => account.invoices.get(invoiceId)?.subscriptionId === id);
}

/** Whether an open dispute may lower the paid rate of this period of the Subscription. */
export function isRateAtStake(account: Account, { id, periodNumber }: Numbered): boolean {
  const staking = account.disputes.where(
    (dispute) =>
      dispute.subscriptionId === id &&
      dispute.status === "open" &&
      dispute.periodNumber === periodNumber &&
      dispute.rateAtStake > 0,
  );
  return staking.length > 0;
}
