import {
  type CardName,
  type Every,
  type PlannedDiscount,
  type PlannedProduct,
  type Settings,
  type TaxLocation,
} from "./history.ts";
import type { Count } from "./reference-math.ts";
import type { ProviderTraits } from "./reference-provider.ts";

// The reference calculator's state of a Customer (docs/rules.md: C, I).

/** A card by its behavior. Later cards have higher `given` numbers. `detached`: the card can't be charged any more. */
export type Card = { does: CardName; given: number; detached: boolean };
/**
 * One attempt to charge a card. Later attempts have higher `made` numbers. `amount` and `invoice` are known once the
 * attempt has succeeded. `toCard` is the part that went back to the card. `failed` is the part that came back from the
 * card later. `excess` is the part of `toCard` that neither reversed the sale nor used credit of this charge. `late` is
 * the source of the credit from refunds that failed.
 */
export type Payment = {
  made: number;
  card: Card;
  invoice: Invoice | null;
  amount: number;
  toCard: number;
  failed: number;
  excess: number;
  late: Late;
};
/** Credit of refunds that failed late; `charge` null: a dispute was standing. */
export type Late = { charge: Payment | null };
/** The source of credit: a charge, a refund that failed late, money from outside of Billow, or no payment at all. */
export type Origin = Payment | Late | "outside" | "granted";
/** Credit of refunds that failed beside a dispute. */
export const LATE_ALONE: Late = { charge: null };
/** A refund to a card. `taken`: the parts of lots that `fromBalance` used. `excess`: as in `Payment`. */
export type Refund = {
  payment: Payment;
  amount: number;
  fromBalance: number;
  taken: Piece[];
  excess: number;
  failed: boolean;
};
export type Source = { origin: Origin; amount: number };
/** A part of some money: its source, and the billed line that the credit gives back. */
export type Piece = Source & { line: Line | null };
export type EntryReason =
  | "invoice"
  | "invoice_voided"
  | "unapplied_payment"
  | "refund"
  | "adjustment"
  | "written_off"
  | "paid_out"
  | "refund_failed"
  | "dispute_lost";
/**
 * A movement of a balance. A positive entry is a lot, and `remaining` is the part not used yet. A negative entry has
 * no source, and `remaining` is the debt: the part that found no lot.
 */
export type Entry = {
  currency: string;
  amount: number;
  reason: EntryReason;
  origin: Origin | null;
  line: Line | null;
  remaining: number;
};
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
  units: number;
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
  /** The funds that a credit stands for. Null: the line is no credit, or no money has paid the credited line. */
  sources: readonly Source[] | null;
};
/** A part of a net credit that an invoice gave to the balance. `from` is the credit line that it came from. */
export type Given = Piece & { from: Line | null };
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
  /** The lots that the balance's part used, and the parts that went to the balance. */
  used: Piece[];
  given: Given[];
  /** The refunded amount of each line, the tax in it, and the netted credit that its refunds freed. */
  refunds: { amount: number; tax: number; freed: number; freedTax: number }[];
  /** The refunded parts of the charge, by target. `returned` are the refunded parts of other funds. */
  own: { toCard: number; toBalance: number };
  returned: Piece[];
  /** Netted credit that refunds gave to the balance itself. */
  nettedBack: Piece[];
  /** The charge, even if the money came too late; null if there was no charge. */
  payment: Payment | null;
};
/** `cleared`: the card is charged again. */
export type Dispute = { payment: Payment; amount: number; status: "open" | "won" | "lost"; cleared: boolean };
/** The price of all units and the length of a period. */
export type Terms = { product: number; group: string | null; quantity: number; amount: number; every: Every };
/**
 * A discount, which lasts until `until` once it has begun. `agreed` is the part of the first period, from `from` to
 * `to`, that a Checkout promised to discount, whenever the Checkout is paid. `from` is null before that period
 * begins.
 */
export type Held = {
  terms: PlannedDiscount;
  begun: boolean;
  until: number | null;
  /** The rest of the months of a discount for months, and the instant and the zone from which it is counted. */
  counted: { at: number; months: number; zone: string } | null;
  agreed: (Part & { from: number | null; to: number | null }) | null;
};
export type Part = { covered: number; whole: number };
/**
 * A round that brings new prices of a unit to present Subscriptions (rule N1). `before`, `below`: its limits; null:
 * none.
 */
export type Round = {
  product: number;
  prices: Record<string, number>;
  before: number | null;
  below: number | null;
  days: number;
  consent: "notice" | "required";
  status: "running" | "paused" | "stopped" | "completed" | "withdrawing" | "withdrawn";
  found: number;
  rows: Repriced[];
};
/** A Subscription in a round, and its way to the new price. `at`: the price begins then or later; null: left out. */
export type Repriced = {
  sub: Sub;
  round: Round;
  status: "scheduled" | "applied" | "withdrawn" | "ended" | "left_out";
  reason: string | null;
  units: number;
  unitBefore: number;
  unit: number;
  at: number | null;
  consentedAt: number | null;
  noticedAt: number;
  settledAt: number | null;
};
export type Sub = Terms & {
  status: "trialing" | "active" | "past_due" | "paused" | "canceled";
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
  /** The discount from the next period on, if it is not the held one, and the discounts of which a use was taken. */
  nextDiscount: { held: Held | null } | null;
  gifts: Set<Shop["discounts"][number]>;
  trialEnd: number | null;
  cancelAt: number | null;
  endedAt: number | null;
  pending: Terms | null;
  /** A pause that is scheduled, or that has begun at the end of the period (rule S8). */
  pause: { until: number | null; access: "revoke" | "keep" } | null;
  /** The new price that waits, the price that a request without a Checkout has set, and the events of new prices. */
  newPrice: Repriced | null;
  own: { product: number; unit: number } | null;
  news: { type: string; at: number }[];
  began: number;
  /** True if the Subscription ended because the Customer has not agreed to a new price. */
  unaccepted: boolean;
  waiting: readonly Line[];
  /**
   * False for a buyer that no caller named, until the Customer or the seller acts: then only `card` is charged, never
   * the Customer's. `location` is the one that such a buyer typed.
   */
  claimed: boolean;
  card: Card | null;
  location: TaxLocation | null;
  dunning: { since: number; retryDays: number[]; done: number; retryAt: number | null; graceAt: number } | null;
  suspended: boolean;
  /** True if the Subscription began elsewhere. */
  imported: boolean;
  /** A change that is being paid reserves a group and a part of the balance. */
  changing: ({ group: string | null } & Quote) | null;
};
/**
 * `held` is credit among the lines that goes to the balance, because it can't be spent (rule D7). `given` are all
 * parts of the lines that go to the balance.
 */
export type Quote = { applied: number; due: number; held: number; given: readonly Given[] };
/** `onFile`: the card is on file, so the buyer is at the bank and on no page of the provider. */
type AwaitedPage = { group: string | null; until: number; drop(): void; onFile?: true; typed?: boolean };
/** A buyer is at the bank, either for a purchase or change, which is given up at `until`, or for an open invoice. */
export type Challenge = { answer: "pass" | "fail" | null; complete(): void } & (
  | { page: AwaitedPage; invoice?: never; payment?: never; present?: never }
  /** `present`: the buyer gave the card on the page of the invoice. */
  | { invoice: Invoice; payment: Payment; present: boolean; page?: never }
);
export type Reserved = { currency: string; applied: number };
export type Customer = {
  known: boolean;
  card: Card | null;
  location: TaxLocation | null;
  /** The movements of the balances, oldest first. */
  entries: Entry[];
  subs: Sub[];
  invoices: Invoice[];
  trials: Set<string>;
  /** The one-time purchases, and the Benefits that each still grants. */
  purchases: { product: number; invoice: Invoice; benefits: Set<number> }[];
  disputes: Dispute[];
  /** The refunds to cards, oldest first. */
  refunds: Refund[];
  challenges: Challenge[];
  /** The parts of the balance that purchases use until their payment is settled (rule C7). */
  reserved: Reserved[];
  /** Charges and answers of the bank that are on their way, in order. */
  queue: (() => void)[];
};
export type Shop = {
  now: number;
  provider: ProviderTraits;
  /** The number of cards given so far. */
  cards: number;
  /** The number of charges tried so far. */
  payments: number;
  settings: Settings;
  products: (PlannedProduct & { archived: boolean })[];
  discounts: { terms: PlannedDiscount; used: number }[];
  /** The rounds of new prices, oldest first. */
  rounds: Round[];
};

export const give = (shop: Shop, does: CardName): Card => {
  return { does, given: (shop.cards += 1), detached: false };
};
/** A new attempt to charge a card. */
export const attempt = (shop: Shop, card: Card): Payment => {
  const late: Late = { charge: null };
  const made = (shop.payments += 1);
  const payment: Payment = { made, card, invoice: null, amount: 0, toCard: 0, failed: 0, excess: 0, late };
  late.charge = payment;
  return payment;
};
/** The money of a payment arrives. */
export function capture(invoice: Invoice, payment: Payment): void {
  invoice.payment = payment;
  Object.assign(payment, { invoice, amount: invoice.due });
}

export const NOBODY = (): Customer => ({
  known: false,
  card: null,
  location: null,
  entries: [],
  subs: [],
  invoices: [],
  trials: new Set(),
  purchases: [],
  disputes: [],
  refunds: [],
  challenges: [],
  reserved: [],
  queue: [],
});

export function cardOf(customer: Customer, sub: Sub): Card | null {
  if (sub.card && !sub.card.detached) return sub.card;
  return sub.claimed && customer.card && !customer.card.detached ? customer.card : null;
}
export const live = (customer: Customer): Sub[] => customer.subs.filter(({ status }) => status !== "canceled");
export const openInvoices = (customer: Customer, sub: Sub): Invoice[] =>
  customer.invoices.filter((invoice) => invoice.sub === sub && invoice.status === "open");
export const challengeOf = (customer: Customer, invoice: Invoice) =>
  customer.challenges.find((each) => each.invoice === invoice);
export const without = <T>(list: T[], item: T): void => void list.splice(list.indexOf(item), 1);

/** True if a live Subscription, or a Checkout or change that is being paid, holds the group (rule C4). */
export function isTaken(customer: Customer, group: string | null, { exceptTyped = false } = {}): boolean {
  if (group === null) return false;
  if (customer.challenges.some(({ page }) => page?.group === group && !(exceptTyped && page.typed))) return true;
  return live(customer).some((sub) => sub.group === group || sub.changing?.group === group);
}
