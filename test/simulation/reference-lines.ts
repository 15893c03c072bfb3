import { takenOff } from "./reference-discount.ts";
import { share } from "./reference-math.ts";
import type { Customer, Held, Invoice, Line, Sub, Tax, Terms } from "./reference-model.ts";
import { billed, taxIn, withTax } from "./reference-tax.ts";

// The lines of invoices, and the amounts that are left of them (docs/rules.md: M, P).

/** A line for a whole period, or for a one-time Product (`span` null), at its price. */
export function fullLine(
  { product, quantity: units, amount }: Pick<Terms, "product" | "quantity" | "amount">,
  span: { from: number; to: number } | null,
  { held, tax }: { held: Held | null; tax: Tax },
): Line {
  const left = amount - takenOff(held, { product, amount }, span);
  const [full, net] = [billed(amount, tax), billed(left, tax)];
  const [from, to] = [span?.from ?? null, span?.to ?? null];
  const exact = tax ? (left * 10_000) / (10_000 + tax.out) : left;
  const rounded = { worth: withTax(exact, tax), off: tax ? 0.5 : 0 };
  const line = { product, units, amount: full, discount: full - net, tax: taxIn(net, tax), rate: tax };
  return { ...line, proration: false, from, to, ...rounded, source: null, sources: null };
}

/**
 * A line for the rest of the period in progress at `rate`, which may be negative. There is no line if it comes to 0.
 */
export function restLine(
  { product, quantity: units }: Pick<Terms, "product" | "quantity">,
  rate: number,
  tax: Tax,
  sub: Sub,
  now: number,
): Line[] {
  const [left, whole] = [Math.min(Math.max(sub.to - now, 0), sub.to - sub.from), sub.to - sub.from];
  const amount = share(rate, left, whole);
  if (amount === 0) return [];
  const rounded = { worth: withTax((rate * left) / whole, tax), off: withTax(0.5, tax) + (tax ? 0.5 : 0) };
  const amounts = { amount, discount: 0, tax: taxIn(amount, tax), rate: tax };
  const span = { proration: true, from: now, to: sub.to };
  return [{ product, units, ...amounts, ...span, ...rounded, source: null, sources: null }];
}

export const lineTotal = (line: Line): number => line.amount - line.discount + (line.rate?.inclusive ? 0 : line.tax);
export const totalOf = (lines: readonly Line[]): number => lines.reduce((total, line) => total + lineTotal(line), 0);

/** The invoice that bills the line; undefined for a waiting line. */
export const invoiceOf = ({ invoices }: Customer, line: Line): Invoice | undefined =>
  invoices.find(({ status, lines }) => status !== "void" && lines.includes(line));

/** The credits of a line, except those on void invoices. */
export function creditsOf({ invoices, subs }: Customer, source: Line): Line[] {
  const issued = invoices.filter(({ status }) => status !== "void").flatMap(({ lines }) => lines);
  return [...issued, ...subs.flatMap(({ waiting }) => waiting)].filter((line) => line.source === source);
}

/** The amount that a credit gives back, less the parts that refunds have freed. */
export const standing = (credit: Line): number =>
  credit.sources ? credit.sources.reduce((total, { amount }) => total + amount, 0) : 0 - lineTotal(credit);

/** The rest of a billed line after refunds, freed parts and credits. */
export function leftOfLine(customer: Customer, line: Line): number {
  const own = invoiceOf(customer, line);
  const { amount, freed } = own ? own.refunds[own.lines.indexOf(line)]! : { amount: 0, freed: 0 };
  const credits = creditsOf(customer, line).reduce((total, credit) => total + standing(credit), 0);
  return lineTotal(line) - amount - freed - credits;
}

/** The rest of each billed line of an invoice; 0 for its credits. */
export const leftsOf = (customer: Customer, { lines }: Invoice): number[] =>
  lines.map((line) => (lineTotal(line) > 0 ? Math.max(leftOfLine(customer, line), 0) : 0));
