import { deposit, spendableLots, sum, take, takeBack } from "./reference-balance.ts";
import { draw, shortened } from "./reference-funds.ts";
import { invoiceOf, leftOfLine, lineTotal, restLine, totalOf } from "./reference-lines.ts";
import { share } from "./reference-math.ts";
import type { Customer, Invoice, Line, Quote, Source, Sub } from "./reference-model.ts";
import { taxIn, withTax } from "./reference-tax.ts";

// Credits, and the making of invoices (docs/rules.md: P, S, I).

/**
 * The rest of the period in progress as a credit of the line that billed it, at most the rest of that line (rule
 * P10).
 */
export function creditLine(customer: Customer, sub: Sub, now: number): Line[] {
  const lines = restLine(sub, -Math.max(sub.rate, 0), sub.tax, sub, now);
  const { rateLine } = sub;
  const credits =
    rateLine === null ? lines : lines.flatMap((line) => limited(line, rateLine, leftOfLine(customer, rateLine)));
  return credits.map((line) => ({ ...line, sources: sourcesOf(customer, line) }));
}

/** The funds of a new credit; null if it names a line that waits, because no money has paid that line. */
function sourcesOf(customer: Customer, credit: Line): Source[] | null {
  const amount = 0 - lineTotal(credit);
  if (credit.source === null) return [{ origin: "granted", amount }];
  const invoice = invoiceOf(customer, credit.source);
  return invoice ? draw(customer, invoice, amount) : null;
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
  const part = { ...line, amount, tax: taxIn(amount, line.rate), to: now, ...rounded };
  return [{ ...part, sources: line.sources && shortened(line.sources, 0 - lineTotal(part)) }];
}

/** The same for all waiting lines. A credit that names one of them names its shortened copy afterwards. */
export function passedLines(lines: readonly Line[], now: number): Line[] {
  const cut = new Map(lines.map((line) => [line, passedLine(line, now)[0]]));
  const left = [...cut.values()].filter((line) => line !== undefined);
  const copies = new Map(left.map((line) => [line, { ...line }]));
  for (const copy of copies.values()) copy.source = copies.get(cut.get(copy.source!)!) ?? copy.source;
  return [...copies.values()];
}

/** Issues an invoice. It takes its share of the balance and is paid if the amount due is 0. */
export function issue(
  customer: Customer,
  order: Pick<Invoice, "reason" | "currency" | "sub" | "lines"> & { restarted?: boolean },
  { applied, due, held, given }: Quote,
  at: number,
): Invoice {
  const { currency, lines } = order;
  const invoice: Invoice = {
    restarted: false,
    ...order,
    status: due === 0 ? "paid" : "open",
    at,
    total: totalOf(lines),
    applied,
    due,
    held,
    outside: false,
    used: [],
    given: [...given],
    refunds: lines.map(() => ({ amount: 0, tax: 0, freed: 0, freedTax: 0 })),
    own: { toCard: 0, toBalance: 0 },
    returned: [],
    nettedBack: [],
    payment: null,
  };
  customer.invoices.push(invoice);
  const balance = usedOf(invoice);
  // The invoice collects a debt.
  if (balance < 0) invoice.given.push({ origin: "granted", line: null, from: null, amount: 0 - balance });
  // An invoice that both gives and uses credit gives held credit, so its entry of the gift comes first.
  deposit(customer, currency, "invoice", invoice.given);
  if (balance > 0)
    invoice.used = take(customer, { currency, reason: "invoice", amount: balance }, spendableLots(customer, currency));
  return invoice;
}

/** The part that the balance settled, without the parts that went to the balance. */
const usedOf = ({ applied, given }: Invoice) => applied + sum(given);

/**
 * The lines that had waited for an invoice and wait again when it is void: all of them if they are credit as a whole,
 * else no line (rule S5).
 */
export function givenBack({ sub, lines }: Invoice): Line[] {
  const waited = lines.filter(({ proration }) => proration);
  return sub && totalOf(waited) < 0 ? waited : [];
}

/** The balance takes back the parts that an invoice gave to it, and gets back the parts that the invoice used. */
export function undoBalance(customer: Customer, invoice: Invoice): void {
  const { currency, used, given } = invoice;
  takeBack(customer, currency, given);
  const debt = usedOf(invoice) - sum(used);
  deposit(customer, currency, "invoice_voided", [...used, { origin: "granted", line: null, amount: debt }]);
}

/** Voids an invoice. The balance gets its share back, and the lines of `givenBack` wait again. */
export function makeVoid(customer: Customer, invoice: Invoice): void {
  invoice.status = "void";
  undoBalance(customer, invoice);
  if (invoice.sub) invoice.sub.waiting = [...invoice.sub.waiting, ...givenBack(invoice)];
}
