import { creditsOf, leftOfLine, lineTotal, totalOf } from "./reference-invoice.ts";
import { share, shareOut } from "./reference-math.ts";
import type { Customer, Invoice, Sub } from "./reference-model.ts";

/** The refunded amount of a line, and the tax in it. */
export type Part = { refunded: number; tax: number };

/** The amount taken for an invoice, at most its total without held credit, less all of its refunds. */
export function leftOf({ due, total, held, refunds }: Invoice): number {
  return Math.max(Math.min(due, total + held) - refunds.reduce((sum, { amount }) => sum + amount, 0), 0);
}

/** The credits that changes gave for an invoice's lines, on other invoices or in waiting lines (rule P10). */
export function creditedElsewhere(customer: Customer, { lines }: Invoice): number {
  const credits = lines.flatMap((line) => creditsOf(customer, line)).filter(({ elsewhere }) => elsewhere);
  return 0 - totalOf(credits.map(({ line }) => line));
}

/**
 * Shares a refund out over the rest of each billed line. Its tax is in proportion to all refunds of the line (rule
 * I3g).
 */
export function partsOf(customer: Customer, { lines, refunds }: Invoice, amount: number): Part[] {
  const left = lines.map((line) => (lineTotal(line) > 0 ? Math.max(leftOfLine(customer, line), 0) : 0));
  return shareOut(amount, left).map((refunded, n) => {
    const line = lines[n]!;
    if (refunded === 0) return { refunded, tax: 0 };
    const due = share(line.tax, refunds[n]!.amount + refunded, lineTotal(line)) - refunds[n]!.tax;
    return { refunded, tax: Math.min(Math.max(due, 0), refunded) };
  });
}

/** The part of the line that sets the rate of the period in progress; null if that line is not on this invoice. */
export function partOfRate({ rateLine }: Sub, { lines }: Invoice, parts: readonly Part[]): Part | null {
  return (rateLine && parts[lines.indexOf(rateLine)]) ?? null;
}

/**
 * The amount by which a refund lowers that rate. A line for the rest of the period counts as one for all of it (rule
 * P).
 */
export function rateLowered({ from, to, rateLine }: Sub, { refunded, tax }: Part): number {
  const net = refunded - (rateLine!.rate?.inclusive ? 0 : tax);
  return share(net, to - from, to - rateLine!.from!);
}
