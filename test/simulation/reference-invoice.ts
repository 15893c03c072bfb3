import { takenOff } from "./reference-discount.ts";
import { share } from "./reference-math.ts";
import {
  credit,
  type Customer,
  type Held,
  type Invoice,
  type Line,
  type Quote,
  type Sub,
  type Tax,
  type Terms,
} from "./reference-model.ts";
import { billed, taxIn, withTax } from "./reference-tax.ts";

// The lines of invoices, and the making of invoices (docs/rules.md: M, P, S, I).

/** A line for a whole period, or for a one-time Product (`span` null), at its price. */
export function fullLine(
  { product, amount }: Pick<Terms, "product" | "amount">,
  span: { from: number; to: number } | null,
  { held, tax }: { held: Held | null; tax: Tax },
): Line {
  const left = amount - takenOff(held, { product, amount }, span);
  const [full, net] = [billed(amount, tax), billed(left, tax)];
  const [from, to] = [span?.from ?? null, span?.to ?? null];
  const exact = tax ? (left * 10_000) / (10_000 + tax.out) : left;
  const rounded = { worth: withTax(exact, tax), off: tax ? 0.5 : 0 };
  const line = { product, amount: full, discount: full - net, tax: taxIn(net, tax), rate: tax };
  return { ...line, proration: false, from, to, ...rounded, source: null };
}

/**
 * A line for the rest of the period in progress at `rate`, which may be negative. There is no line if it comes to 0.
 */
export function restLine(product: number, rate: number, tax: Tax, sub: Sub, now: number): Line[] {
  const [left, whole] = [Math.min(Math.max(sub.to - now, 0), sub.to - sub.from), sub.to - sub.from];
  const amount = share(rate, left, whole);
  if (amount === 0) return [];
  const rounded = { worth: withTax((rate * left) / whole, tax), off: withTax(0.5, tax) + (tax ? 0.5 : 0) };
  const amounts = { amount, discount: 0, tax: taxIn(amount, tax), rate: tax };
  return [{ product, ...amounts, proration: true, from: now, to: sub.to, ...rounded, source: null }];
}

/**
 * The rest of the period in progress as a credit of the line that billed it, at most the rest of that line (rule
 * P10).
 */
export function creditLine(customer: Customer, sub: Sub, now: number): Line[] {
  const lines = restLine(sub.product, -Math.max(sub.rate, 0), sub.tax, sub, now);
  const { rateLine } = sub;
  return rateLine === null ? lines : lines.flatMap((line) => limited(line, rateLine, leftOfLine(customer, rateLine)));
}

function limited(line: Line, source: Line, left: number): Line[] {
  let amount = line.amount;
  while (amount < 0 && 0 - lineTotal({ ...line, amount, tax: taxIn(amount, line.rate) }) > left) amount += 1;
  if (amount === line.amount) return [{ ...line, source }];
  const capped = { ...line, amount, tax: taxIn(amount, line.rate), source };
  return amount === 0 ? [] : [{ ...capped, worth: lineTotal(capped), off: 0 }];
}

/**
 * The part of a waiting line for the span that has passed by `now` (rule S4). The whole line once its span is over,
 * and no line if the part comes to 0.
 */
function passedLine(line: Line, now: number): Line[] {
  const [from, to] = [line.from!, line.to!];
  if (now >= to) return [line];
  const passed = Math.max(now - from, 0);
  const amount = share(line.amount, passed, to - from);
  if (amount === 0) return [];
  const rounded = { worth: (line.worth * passed) / (to - from), off: withTax(1, line.rate) + (line.rate ? 0.5 : 0) };
  return [{ ...line, amount, tax: taxIn(amount, line.rate), to: now, ...rounded }];
}

/** The same for all waiting lines. A credit that names one of them names its shortened copy afterwards. */
export function passedLines(lines: readonly Line[], now: number): Line[] {
  const cut = new Map(lines.map((line) => [line, passedLine(line, now)[0]]));
  const left = [...cut.values()].filter((line) => line !== undefined);
  const copies = new Map(left.map((line) => [line, { ...line }]));
  for (const copy of copies.values()) copy.source = copies.get(cut.get(copy.source!)!) ?? copy.source;
  return [...copies.values()];
}

export const lineTotal = (line: Line): number => line.amount - line.discount + (line.rate?.inclusive ? 0 : line.tax);
/** The credits of a line, except those on void invoices. `elsewhere`: the credit is not on the line's own invoice. */
export function creditsOf(customer: Customer, source: Line): { line: Line; elsewhere: boolean }[] {
  const own = customer.invoices.find(({ status, lines }) => status !== "void" && lines.includes(source));
  const issued = customer.invoices.filter(({ status }) => status !== "void");
  const found = issued.flatMap((invoice) => invoice.lines.map((line) => ({ line, elsewhere: invoice !== own })));
  const waiting = customer.subs.flatMap((sub) => sub.waiting.map((line) => ({ line, elsewhere: own !== undefined })));
  return [...found, ...waiting].filter(({ line }) => line.source === source);
}

/** The rest of a billed line after refunds and credits. */
export function leftOfLine(customer: Customer, line: Line): number {
  const own = customer.invoices.find(({ status, lines }) => status !== "void" && lines.includes(line));
  const refunded = own ? own.refunds[own.lines.indexOf(line)]!.amount : 0;
  return lineTotal(line) - refunded + totalOf(creditsOf(customer, line).map((credit_) => credit_.line));
}

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + lineTotal(line), 0);

/** Issues an invoice. It takes its share of the balance and is paid if the amount due is 0. */
export function issue(
  customer: Customer,
  order: Pick<Invoice, "reason" | "currency" | "sub" | "lines"> & { restarted?: boolean },
  { applied, due, held }: Quote,
  at: number,
): Invoice {
  const status = due === 0 ? "paid" : "open";
  const refunds = order.lines.map(() => ({ amount: 0, tax: 0 }));
  const total = totalOf(order.lines);
  const invoice: Invoice = {
    restarted: false,
    ...order,
    status,
    at,
    total,
    applied,
    due,
    held,
    outside: false,
    refunds,
    toCard: 0,
    paidWith: null,
  };
  customer.invoices.push(invoice);
  credit(customer, order.currency, 0 - applied);
  return invoice;
}

/**
 * The lines that had waited for an invoice and wait again when it is void: all of them if they are credit as a whole,
 * else no line (rule S5).
 */
export function givenBack({ sub, lines }: Invoice): Line[] {
  const waited = lines.filter(({ proration }) => proration);
  return sub && totalOf(waited) < 0 ? waited : [];
}

/** Voids an invoice. The balance gets its share back, and the lines of `givenBack` wait again. */
export function makeVoid(customer: Customer, invoice: Invoice): void {
  invoice.status = "void";
  credit(customer, invoice.currency, invoice.applied);
  if (invoice.sub) invoice.sub.waiting = [...invoice.sub.waiting, ...givenBack(invoice)];
}
