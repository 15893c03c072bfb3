import { totalOfParts, type SourcePart } from "./credit-source.ts";
import { lineTotal, type InvoiceLine } from "./invoice.ts";
import { sumOf, type Amount } from "../money.ts";
import type { Subscription } from "./subscription.ts";
import { taxOf, type LineTax } from "../tax/tax.ts";

/**
 * A credit that gives back one billed line (rule P10): `amount` in minor units, above zero, tax included, without the
 * part that refunds have freed. `netted`: the credit is on the invoice of that very line, so it already lowers that
 * invoice's total, and has no sources.
 */
export type LineCredit = { creditedLineId: string; amount: Amount; netted: boolean; sources: readonly SourcePart[] };

/** A billed line. `left`: the part that was neither refunded nor credited (rule I6h; minor units, tax included). */
export type BilledLine = { line: InvoiceLine; left: Amount };

export const creditedOf = (credits: readonly LineCredit[], lineId: string): Amount =>
  sumOf(credits.filter(({ creditedLineId }) => creditedLineId === lineId).map(({ amount }) => amount));

/** The amount that a credit line still credits: its total without the part that refunds have freed (rule I3g). */
export const standingCredit = (line: InvoiceLine): Amount =>
  line.sources === null ? 0 - lineTotal(line) : totalOfParts(line.sources);

/** The part of a billed line that a refund gave back, in minor units, tax included. */
type GivenBackLine = { invoiceLineId: string; amount: Amount; freed?: Amount };

/** The part of a billed line that was neither refunded nor credited (minor units, tax included). */
export function leftOf(line: InvoiceLine, refunded: readonly GivenBackLine[], credits: readonly LineCredit[]): Amount {
  const given = refunded
    .filter(({ invoiceLineId }) => invoiceLineId === line.id)
    .map(({ amount, freed = 0 }) => amount + freed);
  return lineTotal(line) - sumOf(given) - creditedOf(credits, line.id);
}

type Period = Pick<Subscription, "currentPeriodStart" | "currentPeriodEnd">;

/**
 * The line that the paid rate comes from: the newest line that bills the period in progress to its end and that no
 * credit has given back. Each change of the rate credits the previous line, so at most one line is left. Null: the
 * period was billed elsewhere (an import), or cost 0. `lines`: the Subscription's waiting lines, and its lines on
 * invoices that are not void.
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
      !credits.some(({ creditedLineId }) => creditedLineId === line.id),
  );
  const newest = billing.toSorted(
    (one, other) => other.periodStart! - one.periodStart! || (one.id < other.id ? 1 : -1),
  );
  return newest[0] ?? null;
}

/**
 * The most of a billed line that can still be credited (rule P10): the largest price (minor units, before tax on top)
 * that with its tax comes to at most `left`.
 */
export function mostCredit(left: Amount, tax: LineTax | null): Amount {
  if (left <= 0) return 0;
  if (!tax || tax.inclusive) return left;
  // Rounding makes the estimate wrong by at most one unit, either way.
  let net = left - taxInside(left, tax) + 1;
  while (net + taxOf(net, tax) > left) net -= 1;
  return net;
}

const taxInside = (gross: Amount, tax: LineTax) => taxOf(gross, { ...tax, inclusive: true });
