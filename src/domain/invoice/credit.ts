import { lineTotal, type InvoiceLine } from "./invoice.ts";
import type { Amount } from "../money.ts";
import type { Subscription } from "../subscription/subscription.ts";
import { taxOf, type LineTax } from "../tax/tax.ts";

/**
 * The credits that give back one billed line (rule P10): `amount` in minor units, above zero, tax included. `netted`: they stand on the
 * invoice of that line itself, so its total is already less by them.
 */
export type LineCredit = { creditedLineId: string; amount: Amount; netted: boolean };

/** A billed line, and how much of it was neither refunded nor credited (minor units, tax included). */
export type BilledLine = { line: InvoiceLine; left: Amount };

const sum = (amounts: readonly Amount[]) => amounts.reduce((running, amount) => running + amount, 0);

export const creditedOf = (credits: readonly LineCredit[], lineId: string): Amount =>
  sum(credits.filter(({ creditedLineId }) => creditedLineId === lineId).map(({ amount }) => amount));

/** The credits of an invoice's lines that were given outside of that invoice: they count against a refund of it (rule I3a). */
export const creditedElsewhere = (credits: readonly LineCredit[]): Amount =>
  sum(credits.filter(({ netted }) => !netted).map(({ amount }) => amount));

/** What a refund gave back of a billed line, in minor units, tax included. */
type GivenBackLine = { invoiceLineId: string; amount: Amount };

/** How much of a billed line was neither refunded nor credited (minor units, tax included). */
export function leftOf(line: InvoiceLine, refunded: readonly GivenBackLine[], credits: readonly LineCredit[]): Amount {
  const given = refunded.filter(({ invoiceLineId }) => invoiceLineId === line.id).map(({ amount }) => amount);
  return lineTotal(line) - sum(given) - creditedOf(credits, line.id);
}

type Period = Pick<Subscription, "currentPeriodStart" | "currentPeriodEnd">;

/**
 * The line that the paid rate comes from: the newest one that bills the period in progress to its end and that no credit has given back.
 * Each change of the rate credits the line before it, so one line at most is left. Null: the period was billed elsewhere (an import), or
 * cost 0. `lines`: those of the Subscription that wait or stand on invoices that are not void.
 */
export function rateLineOf(
  lines: readonly InvoiceLine[],
  credits: readonly LineCredit[],
  { currentPeriodStart, currentPeriodEnd }: Period,
): InvoiceLine | null {
  const billing = lines.filter(
    (line) =>
      line.periodEnd === currentPeriodEnd &&
      line.periodStart !== null &&
      line.periodStart >= currentPeriodStart &&
      lineTotal(line) > 0 &&
      creditedOf(credits, line.id) === 0,
  );
  const newest = billing.toSorted((one, other) => other.periodStart! - one.periodStart! || (one.id < other.id ? 1 : -1));
  return newest[0] ?? null;
}

/**
 * The largest price (minor units, before tax on top) that with its tax comes to at most `left`: so much of a billed line can still be
 * credited (rule P10).
 */
export function mostCredit(left: Amount, tax: LineTax | null): Amount {
  if (left <= 0) return 0;
  if (!tax || tax.inclusive) return left;
  // The estimate is exact but for rounding, which is at most one unit either way.
  let net = left - taxInside(left, tax) + 1;
  while (net + taxOf(net, tax) > left) net -= 1;
  return net;
}

const taxInside = (gross: Amount, tax: LineTax) => taxOf(gross, { ...tax, inclusive: true });
