import {
  type CardName,
  type Every,
  type Place,
  type PlannedDiscount,
  type PlannedProduct,
  type Settings,
} from "./history.ts";
import { addWall, periodFrom, share, type Count } from "./reference-math.ts";

// The reference calculator's state of a Customer, and the making of invoices (docs/rules.md: M, X, I).

/** A card by its behavior. Later cards have higher `given` numbers. */
export type Card = { does: CardName; given: number };
/**
 * The tax of a line, or null. `out` is the rate, in basis points, of the tax that is taken out of the price instead.
 */
export type Tax = { basisPoints: number; inclusive: boolean; out: number } | null;
/**
 * `worth` is the line's total, rounded only by its discount. The billed total may be `off` by this much, in minor
 * units.
 */
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
  /** The billed line that a credit gives back (rule P10). */
  source: Line | null;
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
  held: number;
  outside: boolean;
  /** The refunded amount of each line, and the tax in it. `toCard` is the part of it that went to the card. */
  refunds: { amount: number; tax: number }[];
  toCard: number;
  /** The card that was charged, even if the money came too late; null if there was no charge. */
  paidWith: Card | null;
};
/**
 * `stake` is the amount by which a loss lowers the rate of `period`, as its Subscription counts periods. `cleared`:
 * the card is charged again.
 */
export type Dispute = {
  invoice: Invoice;
  at: number;
  amount: number;
  status: "open" | "won" | "lost";
  cleared: boolean;
  stake: number;
  period: Count | null;
};
/** The price and the length of a period. */
export type Terms = { product: number; group: string | null; amount: number; every: Every };
/**
 * A discount, which lasts until `until` once it has begun. `agreed` is the part of the first period, from `from` to
 * `to`, that a Checkout promised to discount, whenever the Checkout is paid. `from` is null before that period
 * begins.
 */
export type Held = {
  terms: PlannedDiscount;
  begun: boolean;
  until: number | null;
  agreed: (Part & { from: number | null; to: number | null }) | null;
};
type Part = { covered: number; whole: number };
const ALL: Part = { covered: 1, whole: 1 };
const NONE: Part = { covered: 0, whole: 1 };
export type Sub = Terms & {
  status: "trialing" | "active" | "past_due" | "canceled";
  currency: string;
  from: number;
  to: number;
  count: Count;
  /**
   * The rate and the tax at which the period in progress was billed (rules P, X3). `billed` is the invoice of that
   * period.
   */
  rate: number;
  tax: Tax;
  /** The line that the rate comes from; null: the period was billed elsewhere. */
  rateLine: Line | null;
  billed: Invoice | null;
  discount: Held | null;
  trialEnd: number | null;
  cancelAt: number | null;
  endedAt: number | null;
  pending: Terms | null;
  waiting: readonly Line[];
  /**
   * False for a buyer that no caller named: then only `card` is charged, never the Customer's. `place` is the one
   * that such a buyer typed.
   */
  named: boolean;
  card: Card | null;
  place: Place | null;
  dunning: { since: number; retryDays: number[]; done: number; retryAt: number | null; graceAt: number } | null;
  suspended: boolean;
  /** A change that is being paid reserves a group and a part of the balance. */
  changing: ({ group: string | null } & Quote) | null;
};
/** A buyer is at the bank, either for a purchase or change, which is given up at `until`, or for an open invoice. */
export type Challenge = { answer: "pass" | "fail" | null; complete(): void } & (
  | { page: { group: string | null; until: number; drop(): void }; invoice?: never; card?: never; present?: never }
  /** `present`: the buyer gave the card on the page of the invoice. */
  | { invoice: Invoice; card: Card; present: boolean; page?: never }
);
export type Customer = {
  known: boolean;
  card: Card | null;
  place: Place | null;
  balances: Map<string, number>;
  /**
   * By currency: credit that operators gave, other credit (or a debt), and the parts of that other credit that
   * operators took away, with the instants.
   */
  kinds: Map<string, { granted: number; other: number; taken: { at: number; amount: number }[] }>;
  subs: Sub[];
  invoices: Invoice[];
  trials: Set<string>;
  /** The one-time purchases, and the Benefits that each still grants. */
  purchases: { product: number; invoice: Invoice; benefits: Set<number> }[];
  disputes: Dispute[];
  challenges: Challenge[];
  /** Charges and answers of the bank that are on their way, in order. */
  queue: (() => void)[];
};
export type Shop = {
  now: number;
  /** The number of cards given so far. */
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
  kinds: new Map(),
  subs: [],
  invoices: [],
  trials: new Set(),
  purchases: [],
  disputes: [],
  challenges: [],
  queue: [],
});

export const cardOf = (customer: Customer, sub: Sub): Card | null => sub.card ?? (sub.named ? customer.card : null);
export const live = (customer: Customer): Sub[] => customer.subs.filter(({ status }) => status !== "canceled");
export const openInvoices = (customer: Customer, sub: Sub): Invoice[] =>
  customer.invoices.filter((invoice) => invoice.sub === sub && invoice.status === "open");
export const challengeOf = (customer: Customer, invoice: Invoice) =>
  customer.challenges.find((each) => each.invoice === invoice);
export const without = <T>(list: T[], item: T): void => void list.splice(list.indexOf(item), 1);

/** True if a live Subscription, or a Checkout or change that is being paid, holds the group (rule C4). */
export function isTaken(customer: Customer, group: string | null): boolean {
  if (group === null) return false;
  if (customer.challenges.some(({ page }) => page?.group === group)) return true;
  return live(customer).some((sub) => sub.group === group || sub.changing?.group === group);
}

/** Moves a balance. Credit that an operator gave is used first, and new credit pays a debt first (rule D7). */
export function credit(customer: Customer, currency: string, amount: number, byHandAt: number | null = null): void {
  customer.balances.set(currency, (customer.balances.get(currency) ?? 0) + amount);
  const kinds = customer.kinds.get(currency) ?? { granted: 0, other: 0, taken: [] };
  customer.kinds.set(currency, kinds);
  const byHand = byHandAt !== null;
  if (amount >= 0) {
    const debt = Math.min(Math.max(0 - kinds.other, 0), amount);
    kinds.other += byHand ? debt : amount;
    kinds.granted += byHand ? amount - debt : 0;
    return;
  }
  const granted = Math.min(kinds.granted, -amount);
  const rest = -amount - granted;
  if (byHand) kinds.taken.push({ at: byHandAt, amount: Math.min(Math.max(kinds.other, 0), rest) });
  kinds.granted -= granted;
  kinds.other -= rest;
}

/**
 * The tax rate of the buyer's region, else of the rest of their country. Under reverse charge there is no tax: the
 * tax id is of the buyer's own country, and the seller is in another one (rule X3).
 */
export function taxAt({ taxRates, country: seller }: Settings, place: Place | null): Tax {
  const there = taxRates.filter(({ country }) => country === place?.country);
  const rate =
    there.find(({ region }) => region !== null && region === place?.region) ??
    there.find(({ region }) => region === null);
  if (!rate) return null;
  const { basisPoints, inclusive } = rate;
  const reversed = rate.reverseCharge && place?.taxId === "own" && seller !== null && seller !== rate.country;
  return reversed
    ? { basisPoints: 0, inclusive: false, out: inclusive ? basisPoints : 0 }
    : { basisPoints, inclusive, out: 0 };
}

export const taxOfSub = ({ settings }: Shop, customer: Customer, sub: Sub): Tax =>
  taxAt(settings, sub.place ?? customer.place);

const taxIn = (net: number, tax: Tax) =>
  tax ? share(net, tax.basisPoints, tax.inclusive ? 10_000 + tax.basisPoints : 10_000) : 0;
/** The billed part of a price: all of it, or under reverse charge the price without the contained tax. */
export const billed = (price: number, tax: Tax) => (tax ? price - share(price, tax.out, 10_000 + tax.out) : price);
const withTax = (net: number, tax: Tax) => (tax && !tax.inclusive ? net * (1 + tax.basisPoints / 10_000) : net);

type PeriodSpan = { from: number; to: number };

/** The discounted part of a period (rule X1). A one-time Product (`span` null) is discounted whole. */
function partOf({ terms, begun, until, agreed }: Held, span: PeriodSpan | null): Part {
  if (agreed && (!begun || (agreed.from === span?.from && agreed.to === span?.to))) return agreed;
  if (until === null || span === null) return ALL;
  if (span.from >= until) return NONE;
  return terms.duration === "repeating" && until < span.to
    ? { covered: until - span.from, whole: span.to - span.from }
    : ALL;
}

/** The discount of a price, for the discounted part of the period; 0 if the Product is not covered. */
export function takenOff(
  held: Held | null,
  { product, amount }: Pick<Terms, "product" | "amount">,
  span: PeriodSpan | null,
): number {
  if (!held || (held.terms.products && !held.terms.products.includes(product))) return 0;
  const { covered, whole } = partOf(held, span);
  const { off } = held.terms;
  if ("amount" in off) return share(Math.min(off.amount, amount), covered, whole);
  return share(amount, BigInt(off.basisPoints) * BigInt(covered), 10_000n * BigInt(whole));
}

export function isFree(held: Held | null, terms: Pick<Terms, "product" | "amount">): boolean {
  return terms.amount === 0 || (held?.terms.duration === "forever" && takenOff(held, terms, null) === terms.amount);
}

/** A discount begins with the first period that is invoiced. */
export function begin(held: Held | null, from: number, zone: string): Held | null {
  if (!held) return null;
  const { duration, months } = held.terms;
  if (held.begun) return duration === "once" ? { ...held, until: Math.min(held.until!, from) } : held;
  const until =
    duration === "once" ? from + 1 : duration === "repeating" ? addWall(from, zone, "month", months!) : null;
  return { ...held, begun: true, until, agreed: null };
}

/** The promise of a Checkout for a first period that would begin now. */
export function promise(terms: PlannedDiscount, every: Every | null, now: number, zone: string): Held {
  const held: Held = { terms, begun: false, until: null, agreed: null };
  if (every === null || terms.duration !== "repeating") return held;
  const { from, to } = periodFrom(now, { anchor: now, zone, n: 1 }, every);
  return { ...held, agreed: { ...partOf(begin(held, now, zone)!, { from, to }), from: null, to: null } };
}

/** Begins a discount with the first period that a Checkout sold, as the Checkout promised. */
export function beginPromised(held: Held | null, { from, to }: PeriodSpan, zone: string): Held | null {
  const begun = begin(held, from, zone);
  return begun && { ...begun, agreed: held!.agreed && { ...held!.agreed, from, to } };
}

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

/** `held` is credit among the lines that goes to the balance, because it can't be spent (rule D7). */
export type Quote = { applied: number; due: number; held: number };

/** Issues an invoice. It takes its share of the balance and is paid if the amount due is 0. */
export function issue(
  customer: Customer,
  order: Pick<Invoice, "reason" | "currency" | "sub" | "lines">,
  { applied, due, held }: Quote,
  at: number,
): Invoice {
  const status = due === 0 ? "paid" : "open";
  const refunds = order.lines.map(() => ({ amount: 0, tax: 0 }));
  const total = totalOf(order.lines);
  const invoice: Invoice = {
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
