import { freeLotsOf, isLost, standingDispute, sum, worthOf } from "./reference-balance.ts";
import { freedOf, fundsOf, isReturnable, ownOf, priceOf, refundable } from "./reference-funds.ts";
import { invoiceOf, leftsOf, lineTotal } from "./reference-lines.ts";
import { share, shareOut } from "./reference-math.ts";
import type { Customer, Invoice, Line, Payment, Piece, Sub } from "./reference-model.ts";
import { freeBalance } from "./reference-quote.ts";

/** The refunded amount of a line and the tax in it, and the freed amount of the line and the tax in that. */
export type Part = { refunded: number; tax: number; freed: number; freedTax: number };
/**
 * `sale` reverses the sale, and `fromBalance` is taken off the balance. `credit` are the parts that come back to the
 * balance as they were, and `own` is the part of the charge. `freed` is netted credit.
 */
export type Plan = {
  sale: number;
  fromBalance: number;
  own: number;
  credit: Piece[];
  freed: number;
  /** Netted credit that goes to the balance itself. `line`: the credit line. */
  netted?: Piece[];
};
export type Target = "card" | "balance";

/**
 * Shares a refund and its freed part out over the rest of each billed line. The tax is in proportion to all refunds of
 * the line (rule I3g).
 */
export function partsOf(customer: Customer, invoice: Invoice, { sale, freed }: Pick<Plan, "sale" | "freed">): Part[] {
  const { lines, refunds } = invoice;
  if (sale + freed === 0) return lines.map(() => ({ refunded: 0, tax: 0, freed: 0, freedTax: 0 }));
  const parts = shareOut(sale + freed, leftsOf(customer, invoice));
  const freedParts = shareOut(freed, parts);
  return parts.map((part, n) => {
    const before = refunds[n]!;
    const refunded = part - freedParts[n]!;
    const taxUntil = (amount: number) => (part === 0 ? 0 : share(lines[n]!.tax, amount, lineTotal(lines[n]!)));
    const within = (tax: number, most: number) => Math.min(Math.max(tax, 0), most);
    const tax = refunded === 0 ? 0 : within(taxUntil(before.amount + refunded) - before.tax, refunded);
    const all = within(taxUntil(before.amount + before.freed + part) - before.tax - before.freedTax, part);
    return { refunded, tax, freed: freedParts[n]!, freedTax: all - tax };
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
export function rateLowered({ from, to, rateLine }: Sub, { refunded, tax, freed, freedTax }: Part): number {
  const net = refunded + freed - (rateLine!.rate?.inclusive ? 0 : tax + freedTax);
  return share(net, to - from, to - rateLine!.from!);
}

/** A refund lowers the rate of the period in progress, unless the Subscription has ended. */
export function lowerRate(invoice: Invoice, parts: readonly Part[]): void {
  const { sub } = invoice;
  const ofRate = sub && sub.status !== "canceled" ? partOfRate(sub, invoice, parts) : null;
  if (ofRate) sub!.rate -= rateLowered(sub!, ofRate);
}

/** Adds a refund to the refunded parts of the lines. */
export function bookParts(invoice: Invoice, parts: readonly Part[]): void {
  for (const [n, { refunded, tax, freed, freedTax }] of parts.entries()) {
    const refund = invoice.refunds[n]!;
    refund.amount += refunded;
    refund.tax += tax;
    refund.freed += freed;
    refund.freedTax += freedTax;
  }
}

/** The refunded part of the price: netted credit that went to the balance itself is no part of the price. */
export const priceRefunded = (invoice: Invoice): number => refundedOf(invoice) - sum(invoice.nettedBack);
export const refundedOf = ({ refunds }: Invoice): number => refunds.reduce((total, { amount }) => total + amount, 0);

/** The effect of a refund, or its refusal. `asked` is null for the default amount. */
export function planRefund(customer: Customer, invoice: Invoice, asked: number | null, to: Target): Plan | string {
  return to === "card" ? planToCard(customer, invoice, asked) : planToBalance(customer, invoice, asked);
}

function planToCard(customer: Customer, invoice: Invoice, asked: number | null): Plan | string {
  const { payment } = invoice;
  const { toBalance: uncredited } = refundable(customer, invoice, false);
  if (payment === null) return uncredited === 0 ? "409 nothing_to_refund" : "422 validation_failed";
  const disputed = standingDispute(customer, payment)?.amount ?? 0;
  const money = Math.max(ownOf(invoice) - payment.toCard - payment.failed - disputed, 0);
  if (money === 0) return "409 nothing_to_refund";
  const { toCard } = refundable(customer, invoice);
  const amount = asked ?? toCard;
  const unspent = Math.min(worthOf(freeLotsOf(customer, payment)), freeBalance(customer, invoice.currency));
  const lots = Math.min(Math.max(unspent, 0), money - toCard);
  if (amount === 0) return lots === 0 ? "409 credit_spent 0" : `409 credited ${lots}`;
  if (amount > money) return "422 validation_failed";
  const sale = Math.min(amount, toCard);
  if (amount - sale > lots) return `409 credit_spent ${toCard + lots}`;
  const freed = freedBy(customer, invoice, sale);
  return { sale, fromBalance: amount - sale, own: sale, credit: [], freed };
}

function planToBalance(customer: Customer, invoice: Invoice, asked: number | null): Plan | string {
  const { toBalance: uncredited } = refundable(customer, invoice, false);
  if (uncredited === 0) return "409 nothing_to_refund";
  const left = refundable(customer, invoice);
  const amount = asked ?? (left.toBalance || uncredited);
  if (amount > uncredited) return "422 validation_failed";
  if (amount > left.toBalance || left.toBalance === 0) return `409 credited ${left.toBalance}`;
  const funds = fundsOf(customer, invoice).filter(isReturnable);
  if (left.own + left.credit === 0) return planNetted(customer, invoice, amount);
  const planned = share(sum(funds), priceRefunded(invoice) + amount, priceOf(invoice)) - sum(invoice.returned);
  const credited = Math.min(Math.max(planned, amount - left.own), Math.min(amount, left.credit));
  let missing = credited;
  const credit = funds
    .filter(({ origin }) => !isLost(customer, origin))
    .map(({ origin, line, left: most }) => {
      const part = Math.min(most, missing);
      missing -= part;
      return { origin, line, amount: part };
    });
  return { sale: amount, fromBalance: 0, own: amount - credited, credit, freed: freedBy(customer, invoice, amount) };
}

function planNetted(customer: Customer, invoice: Invoice, amount: number): Plan {
  let missing = amount;
  const netted = fundsOf(customer, invoice)
    .filter(({ kind, origin }) => kind === "netted" && !isLost(customer, origin))
    .map(({ origin, line, left }) => {
      const part = Math.min(left, missing);
      missing -= part;
      return { origin, line, amount: part };
    })
    .filter((piece) => piece.amount > 0);
  return { sale: amount, fromBalance: 0, own: 0, credit: [], freed: 0, netted };
}

/** The netted credit that a refund frees, in proportion to all refunds of the invoice. */
export function freedBy(customer: Customer, invoice: Invoice, sale: number): number {
  const funds = fundsOf(customer, invoice).filter(({ kind }) => kind === "netted");
  const before = freedOf(invoice);
  const due = share(sum(funds) + before, priceRefunded(invoice) + sale, priceOf(invoice)) - before;
  const left = funds.reduce((total, fund) => total + fund.left, 0);
  const ofLines = leftsOf(customer, invoice).reduce((total, each) => total + each, 0);
  return Math.min(Math.max(due, 0), left, ofLines - sale);
}

/**
 * Frees netted credit: the credits of the invoice stand for less, so that the named lines can be refunded again. An
 * invoice of such a line frees the rest that its own refunds could not free before.
 */
export function free(customer: Customer, invoice: Invoice, amount: number): void {
  let missing = amount;
  const named: Line[] = [];
  for (const { kind, origin, line, left } of fundsOf(customer, invoice)) {
    if (kind !== "netted") continue;
    const part = Math.min(left, missing);
    missing -= part;
    if (part > 0 && line!.source) named.push(line!.source);
    line!.sources = line!.sources!.flatMap((source) => {
      if (source.origin !== origin) return [source];
      return source.amount > part ? [{ origin, amount: source.amount - part }] : [];
    });
  }
  for (const line of named) {
    const earlier = invoiceOf(customer, line);
    if (earlier?.status === "paid" && priceRefunded(earlier) > 0)
      free(customer, earlier, freedBy(customer, earlier, 0));
  }
}

/** The payments with lots that a payout gives back, newest first. */
export function payable(customer: Customer, currency: string): { payment: Payment; amount: number }[] {
  const payments = customer.invoices.flatMap(({ payment, currency: of }) =>
    payment && of === currency ? [payment] : [],
  );
  return payments
    .map((payment) => ({ payment, amount: worthOf(freeLotsOf(customer, payment)) }))
    .filter(({ amount }) => amount > 0)
    .toSorted((one, other) => other.payment.made - one.payment.made);
}
