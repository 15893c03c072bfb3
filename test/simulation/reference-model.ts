import {
  MINIMUM,
  type CardName,
  type Every,
  type Place,
  type PlannedDiscount,
  type PlannedProduct,
  type Settings,
} from "./history.ts";
import { addWall, settleWith, share, type Count } from "./reference-math.ts";

// What the reference calculator knows of a Customer, and how an invoice is made (docs/rules.md: M, X, I).

/** A card by what it does, and when it was given: later ones have higher numbers. */
export type Card = { does: CardName; given: number };
/** A tax as it stands on a line; null: none. `out`: the rate, in basis points, of the tax that is taken out of the price instead. */
export type Tax = { basisPoints: number; inclusive: boolean; out: number } | null;
/** `worth`: what the line comes to before anything but a discount is rounded; it may be `off` by so much, in minor units. */
export type Line = {
  product: number;
  amount: number;
  discount: number;
  tax: number;
  rate: Tax;
  proration: boolean;
  from: number | null;
  to: number | null;
  worth: number;
  off: number;
};
export type Invoice = {
  reason: "checkout" | "renewal" | "product_change";
  status: "open" | "paid" | "void";
  at: number;
  currency: string;
  sub: Sub | null;
  lines: readonly Line[];
  total: number;
  applied: number;
  due: number;
  outside: boolean;
  /** What was given back of each line, and the tax in it. */
  refunds: { amount: number; tax: number }[];
};
/** What a period costs and how long it is. */
export type Terms = { product: number; group: string | null; amount: number; every: Every };
/** A discount since it began, up to the periods that begin at `until`. */
export type Held = { terms: PlannedDiscount; begun: boolean; until: number | null };
export type Sub = Terms & {
  status: "trialing" | "active" | "past_due" | "canceled";
  currency: string;
  from: number;
  to: number;
  count: Count;
  /** What the period in progress was billed at, and with which tax (rules P, X3); the invoice that did. */
  rate: number;
  tax: Tax;
  billed: Invoice | null;
  discount: Held | null;
  trialEnd: number | null;
  cancelAt: number | null;
  endedAt: number | null;
  pending: Terms | null;
  waiting: readonly Line[];
  /** Of a buyer whom no caller named: only `card` is charged, never the Customer's; `place`: what they typed. */
  named: boolean;
  card: Card | null;
  place: Place | null;
  dunning: { since: number; retryDays: number[]; done: number; retryAt: number | null; graceAt: number } | null;
  suspended: boolean;
  /** A change of it is being paid: it holds a group and a part of the balance. */
  changing: ({ group: string | null } & Quote) | null;
};
/** A buyer is at the bank, for a purchase or change (which is given up at `until`), or for an open invoice. */
export type Challenge = { answer: "pass" | "fail" | null; complete(): void } & (
  | { page: { group: string | null; until: number; drop(): void }; invoice?: never; card?: never }
  | { invoice: Invoice; card: Card; page?: never }
);
export type Customer = {
  known: boolean;
  card: Card | null;
  place: Place | null;
  balances: Map<string, number>;
  subs: Sub[];
  invoices: Invoice[];
  trials: Set<string>;
  /** What was bought once, and the Benefits that it still grants. */
  purchases: { product: number; invoice: Invoice; benefits: Set<number> }[];
  challenges: Challenge[];
  /** Charges and answers of the bank that are on their way, in order. */
  queue: (() => void)[];
};
export type Shop = {
  now: number;
  /** How many cards were given. */
  cards: number;
  settings: Settings;
  products: (PlannedProduct & { archived: boolean })[];
  discounts: { terms: PlannedDiscount; used: number }[];
};

export const give = (shop: Shop, does: CardName): Card => ({ does, given: (shop.cards += 1) });

export const NOBODY = (): Customer => ({
  known: false,
  card: null,
  place: null,
  balances: new Map(),
  subs: [],
  invoices: [],
  trials: new Set(),
  purchases: [],
  challenges: [],
  queue: [],
});

export const cardOf = (customer: Customer, sub: Sub): Card | null => sub.card ?? (sub.named ? customer.card : null);
export const live = (customer: Customer): Sub[] => customer.subs.filter(({ status }) => status !== "canceled");
export const openInvoices = (customer: Customer, sub: Sub): Invoice[] =>
  customer.invoices.filter((invoice) => invoice.sub === sub && invoice.status === "open");
export const challengeOf = (customer: Customer, invoice: Invoice) => customer.challenges.find((each) => each.invoice === invoice);
export const without = <T>(list: T[], item: T): void => void list.splice(list.indexOf(item), 1);

/** Somebody holds the group: a Subscription, a Checkout that is being paid, a change that is being paid (rule C4). */
export function isTaken(customer: Customer, group: string | null): boolean {
  if (group === null) return false;
  if (customer.challenges.some(({ page }) => page?.group === group)) return true;
  return live(customer).some((sub) => sub.group === group || sub.changing?.group === group);
}

export function credit(customer: Customer, currency: string, amount: number): void {
  customer.balances.set(currency, (customer.balances.get(currency) ?? 0) + amount);
}

/**
 * The rate of the buyer's region, else of the rest of their country; nothing where they account for the tax themselves: with a tax id of
 * their own country, from a seller who has another one (rule X3).
 */
export function taxAt({ taxRates, country: seller }: Settings, place: Place | null): Tax {
  const there = taxRates.filter(({ country }) => country === place?.country);
  const rate = there.find(({ region }) => region !== null && region === place?.region) ?? there.find(({ region }) => region === null);
  if (!rate) return null;
  const { basisPoints, inclusive } = rate;
  const reversed = rate.reverseCharge && place?.taxId === "own" && seller !== null && seller !== rate.country;
  return reversed ? { basisPoints: 0, inclusive: false, out: inclusive ? basisPoints : 0 } : { basisPoints, inclusive, out: 0 };
}

export const taxOfSub = ({ settings }: Shop, customer: Customer, sub: Sub): Tax => taxAt(settings, sub.place ?? customer.place);

const taxIn = (net: number, tax: Tax) => (tax ? share(net, tax.basisPoints, tax.inclusive ? 10_000 + tax.basisPoints : 10_000) : 0);
/** What is billed of a price: all of it, or what is left when the tax in it is taken out. */
export const billed = (price: number, tax: Tax) => (tax ? price - share(price, tax.out, 10_000 + tax.out) : price);
const withTax = (net: number, tax: Tax) => (tax && !tax.inclusive ? net * (1 + tax.basisPoints / 10_000) : net);

/** What a discount takes off a price for a period that begins at `from`; nothing where the Product is not covered, or it is over. */
export function takenOff(held: Held | null, { product, amount }: Pick<Terms, "product" | "amount">, from: number): number {
  if (!held || (held.terms.products && !held.terms.products.includes(product))) return 0;
  if (held.until !== null && from >= held.until) return 0;
  const { off } = held.terms;
  return "basisPoints" in off ? share(amount, off.basisPoints, 10_000) : Math.min(off.amount, amount);
}

export function isFree(held: Held | null, terms: Pick<Terms, "product" | "amount">): boolean {
  return terms.amount === 0 || (held?.terms.duration === "forever" && takenOff({ ...held, until: null }, terms, 0) === terms.amount);
}

/** A discount begins with the first period that is invoiced. */
export function begin(held: Held | null, from: number, zone: string): Held | null {
  if (!held) return null;
  const { duration, months } = held.terms;
  if (held.begun) return duration === "once" ? { ...held, until: Math.min(held.until!, from) } : held;
  const until = duration === "once" ? from + 1 : duration === "repeating" ? addWall(from, zone, "month", months!) : null;
  return { ...held, begun: true, until };
}

/** A whole period, or what is sold once (`span` null), at its price. */
export function fullLine(
  { product, amount }: Pick<Terms, "product" | "amount">,
  span: { from: number; to: number } | null,
  { held, tax, at }: { held: Held | null; tax: Tax; at: number },
): Line {
  const left = amount - takenOff(held, { product, amount }, span?.from ?? at);
  const [full, net] = [billed(amount, tax), billed(left, tax)];
  const [from, to] = [span?.from ?? null, span?.to ?? null];
  const exact = tax ? (left * 10_000) / (10_000 + tax.out) : left;
  const rounded = { worth: withTax(exact, tax), off: tax ? 0.5 : 0 };
  return { product, amount: full, discount: full - net, tax: taxIn(net, tax), rate: tax, proration: false, from, to, ...rounded };
}

/** The rest of the period in progress at a rate, above or below zero; none where that is nothing. */
export function restLine(product: number, rate: number, tax: Tax, sub: Sub, now: number): Line[] {
  const [left, whole] = [Math.min(Math.max(sub.to - now, 0), sub.to - sub.from), sub.to - sub.from];
  const amount = share(rate, left, whole);
  if (amount === 0) return [];
  const rounded = { worth: withTax((rate * left) / whole, tax), off: withTax(0.5, tax) + (tax ? 0.5 : 0) };
  return [{ product, amount, discount: 0, tax: taxIn(amount, tax), rate: tax, proration: true, from: now, to: sub.to, ...rounded }];
}

export const lineTotal = (line: Line): number => line.amount - line.discount + (line.rate?.inclusive ? 0 : line.tax);
export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + lineTotal(line), 0);

export type Quote = { applied: number; due: number };

/** What the balance settles of these lines now; what a change that is being paid takes of it is not there for others. */
export function quote(customer: Customer, currency: string, lines: readonly Line[]): Quote {
  const changes = live(customer).filter((sub) => sub.currency === currency && sub.changing);
  let balance = customer.balances.get(currency) ?? 0;
  const isCredit = balance > 0;
  for (const { changing } of changes) {
    const { applied, due } = changing!;
    if (isCredit && applied > 0) balance = Math.max(balance - applied, 0);
    if (!isCredit && applied < 0 && due > 0) balance = Math.min(balance - applied, 0);
  }
  return settleWith(balance, totalOf(lines), MINIMUM[currency]!);
}

/** An invoice for good: it takes its share of the balance, and is paid when nothing is due. */
export function issue(
  customer: Customer,
  order: Pick<Invoice, "reason" | "currency" | "sub" | "lines">,
  { applied, due }: Quote,
  at: number,
): Invoice {
  const status = due === 0 ? "paid" : "open";
  const refunds = order.lines.map(() => ({ amount: 0, tax: 0 }));
  const invoice: Invoice = { ...order, status, at, total: totalOf(order.lines), applied, due, outside: false, refunds };
  customer.invoices.push(invoice);
  credit(customer, order.currency, 0 - applied);
  return invoice;
}

/** What the balance had settled comes back, and what had waited waits again where it is credit as a whole (rule S5). */
export function makeVoid(customer: Customer, invoice: Invoice): void {
  invoice.status = "void";
  credit(customer, invoice.currency, invoice.applied);
  const waited = invoice.lines.filter(({ proration }) => proration);
  if (invoice.sub && totalOf(waited) < 0) invoice.sub.waiting = [...invoice.sub.waiting, ...waited];
}
