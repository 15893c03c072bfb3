import {
  type CardName,
  type Every,
  type Place,
  type PlannedDiscount,
  type PlannedProduct,
  type Settings,
} from "./history.ts";
import type { Count } from "./reference-math.ts";

// The reference calculator's state of a Customer (docs/rules.md: C, D7).

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
  /** True if the period began after a suspension (rule D8). */
  restarted: boolean;
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
export type Part = { covered: number; whole: number };
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
  /** True if the Subscription began elsewhere. */
  imported: boolean;
  /** A change that is being paid reserves a group and a part of the balance. */
  changing: ({ group: string | null } & Quote) | null;
};
/** `held` is credit among the lines that goes to the balance, because it can't be spent (rule D7). */
export type Quote = { applied: number; due: number; held: number };
/** A buyer is at the bank, either for a purchase or change, which is given up at `until`, or for an open invoice. */
export type Challenge = { answer: "pass" | "fail" | null; complete(): void } & (
  | { page: { group: string | null; until: number; drop(): void }; invoice?: never; card?: never; present?: never }
  /** `present`: the buyer gave the card on the page of the invoice. */
  | { invoice: Invoice; card: Card; present: boolean; page?: never }
);
export type Reserved = { currency: string; applied: number };
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
  /** The parts of the balance that purchases use until their payment is settled (rule C7). */
  reserved: Reserved[];
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
  reserved: [],
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
