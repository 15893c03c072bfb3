import type { Customer, Dispute, Entry, EntryReason, Origin, Payment, Piece } from "./reference-model.ts";

// The entries of balances: lots of credit with their sources, and debts (docs/rules.md: I, D7).

const OUTSIDE = 1e15;
const LATE = 1e14;
/** The charge of a source: of credit from refunds that failed, the refunded charge. */
export function chargeOf(origin: Origin | null): Payment | null {
  if (origin === null || typeof origin === "string") return null;
  return "charge" in origin ? origin.charge : origin;
}
function rankOf(origin: Origin): number {
  if (origin === "granted") return OUTSIDE + 1;
  if (origin === "outside") return OUTSIDE;
  return "charge" in origin ? LATE + (origin.charge?.made ?? 0) : origin.made;
}
/**
 * The spending order: payments, oldest first, then refunds that failed late, then money from outside of Billow, then
 * granted credit.
 */
export const bySpending = (one: { origin: Origin }, other: { origin: Origin }): number =>
  rankOf(one.origin) - rankOf(other.origin);

export const sum = (parts: readonly { amount: number }[]): number =>
  parts.reduce((total, { amount }) => total + amount, 0);

/** The open or lost dispute of a source. */
export function standingDispute({ disputes }: Customer, origin: Origin | null): Dispute | null {
  const charge = chargeOf(origin);
  return disputes.find(({ payment, status }) => payment === charge && status !== "won") ?? null;
}
export const isLost = (customer: Customer, origin: Origin | null) =>
  standingDispute(customer, origin)?.status === "lost";
const isHeld = (customer: Customer, { origin }: Entry) => standingDispute(customer, origin)?.status === "open";

/** Joins the parts of one source and one credited line, in the order of their first appearance. */
export function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const { origin, line, amount } of pieces.filter((piece) => piece.amount !== 0)) {
    const same = found.find((each) => each.origin === origin && each.line === line);
    if (same) same.amount += amount;
    else found.push({ origin, line, amount });
  }
  return found;
}

const entriesOf = ({ entries }: Customer, currency: string) => entries.filter((entry) => entry.currency === currency);
export const currenciesOf = ({ entries }: Customer): string[] => [...new Set(entries.map(({ currency }) => currency))];
const remainingOf = (entries: readonly Entry[]) => entries.reduce((total, { remaining }) => total + remaining, 0);
const isLive = (entry: Entry) => entry.amount > 0 && entry.remaining > 0;

/** The balance in a currency, debts included. */
export const balanceOf = (customer: Customer, currency: string): number => remainingOf(entriesOf(customer, currency));
/** The part of the balance that open disputes hold. */
export const heldOf = (customer: Customer, currency: string): number =>
  remainingOf(entriesOf(customer, currency).filter((entry) => isLive(entry) && isHeld(customer, entry)));
/** The part that an invoice or a payout may use. It may be negative. */
export const availableOf = (customer: Customer, currency: string): number =>
  balanceOf(customer, currency) - heldOf(customer, currency);

/** The lots that an invoice may use, in spending order. */
export function spendableLots(customer: Customer, currency: string): Entry[] {
  const lots = entriesOf(customer, currency).filter((entry) => isLive(entry) && !isHeld(customer, entry));
  return lots.toSorted((one, other) => bySpending({ origin: one.origin! }, { origin: other.origin! }));
}

/** The lots of a payment and of its refunds that failed, newest first. */
export const lotsOf = ({ entries }: Customer, payment: Payment): Entry[] =>
  entries.filter((entry) => isLive(entry) && chargeOf(entry.origin) === payment).reverse();
/** The lots of a payment and of its refunds that failed, without those that a dispute holds. */
export const loose = (customer: Customer, payment: Payment): Entry[] =>
  lotsOf(customer, payment).filter((entry) => !isHeld(customer, entry));
/** The lots of a payment that can go back to its card, newest first. */
export const freeLotsOf = (customer: Customer, payment: Payment): Entry[] =>
  loose(customer, payment).filter(({ origin }) => origin === payment);
export const worthOf = (lots: readonly Entry[]): number => remainingOf(lots);

/** The lots in the order in which an operator takes credit away: held ones last, and granted credit first. */
function removableLots(customer: Customer, currency: string): Entry[] {
  const order = (entry: Entry) => {
    const { origin } = entry;
    const kind = origin === "granted" ? -2 * OUTSIDE : origin === "outside" ? -OUTSIDE : 0 - rankOf(origin!);
    return kind + (isHeld(customer, entry) ? 4 * OUTSIDE : 0);
  };
  const lots = entriesOf(customer, currency).filter(isLive);
  return lots.toSorted((one, other) => order(one) - order(other));
}

/** The lots that a refund at the provider uses up: credit of its charge first. */
export function lotsForExcess(customer: Customer, currency: string, payment: Payment): Entry[] {
  const lots = removableLots(customer, currency).filter((entry) => !isHeld(customer, entry));
  const isOwn = ({ origin }: Entry) => chargeOf(origin) === payment;
  return [...lots.filter(isOwn), ...lots.filter((entry) => !isOwn(entry))];
}

/** The lots of one source and one credited line. */
const lotsLike = (customer: Customer, currency: string, { origin, line }: Piece): Entry[] =>
  entriesOf(customer, currency).filter((entry) => isLive(entry) && entry.origin === origin && entry.line === line);

/**
 * Adds lots. A lot that is not held first settles debts, oldest first. A lot of a lost payment is written off at once.
 */
export function deposit(customer: Customer, currency: string, reason: EntryReason, pieces: readonly Piece[]): void {
  for (const { origin, line, amount } of joined(pieces)) {
    const lot: Entry = { currency, amount, reason, origin, line, remaining: amount };
    if (!standingDispute(customer, origin)) settleDebts(customer, lot);
    customer.entries.push(lot);
    if (isLost(customer, origin)) take(customer, { currency, reason: "dispute_lost", amount: lot.remaining }, [lot]);
  }
}

/** A lot settles open debts, oldest first. */
export function settleDebts(customer: Customer, lot: Entry): void {
  for (const debt of entriesOf(customer, lot.currency).filter(({ remaining }) => remaining < 0)) {
    const settled = Math.min(lot.remaining, -debt.remaining);
    lot.remaining -= settled;
    debt.remaining += settled;
  }
}

/** Uses an amount of these lots, in order. Returns the used parts. */
function use(lots: readonly Entry[], amount: number): Piece[] {
  let missing = amount;
  const used = lots.map((lot) => {
    const part = Math.min(lot.remaining, missing);
    lot.remaining -= part;
    missing -= part;
    return { origin: lot.origin!, line: lot.line, amount: part };
  });
  return joined(used);
}

type Movement = { currency: string; reason: EntryReason; amount: number };

/** The part of a negative movement that found no lot is a debt. */
function book({ entries }: Customer, { currency, reason, amount }: Movement, used: readonly Piece[]): void {
  const remaining = sum(used) - amount;
  if (amount !== 0) entries.push({ currency, amount: 0 - amount, reason, origin: null, line: null, remaining });
}

/** Takes an amount from these lots, in order. Returns the used parts. */
export function take(customer: Customer, movement: Movement, lots: readonly Entry[]): Piece[] {
  const used = use(lots, movement.amount);
  book(customer, movement, used);
  return used;
}

/** Takes parts back from lots of their own source and line, else from the lots that an invoice may use. */
export function takeBack(customer: Customer, currency: string, pieces: readonly Piece[]): void {
  const own = joined(pieces).flatMap((piece) => use(lotsLike(customer, currency, piece), piece.amount));
  const amount = sum(pieces);
  const others = use(spendableLots(customer, currency), amount - sum(own));
  book(customer, { currency, reason: "invoice_voided", amount }, [...own, ...others]);
}

/** Writes the whole balance off, held credit and debts too, with one entry. */
export function writeOff(customer: Customer, currency: string): void {
  const amount = 0 - balanceOf(customer, currency);
  for (const entry of entriesOf(customer, currency)) entry.remaining = 0;
  const origin = amount > 0 ? "granted" : null;
  if (amount !== 0)
    customer.entries.push({ currency, amount, reason: "written_off", origin, line: null, remaining: 0 });
}

/** An operator adds credit or takes credit away. */
export function adjust(customer: Customer, currency: string, amount: number): void {
  if (amount > 0) deposit(customer, currency, "adjustment", [{ origin: "granted", line: null, amount }]);
  else take(customer, { currency, reason: "adjustment", amount: -amount }, removableLots(customer, currency));
}

/** Runs `work` and undoes its entries. */
export function pretend<T>(customer: Customer, work: () => T): T {
  const { entries } = customer;
  customer.entries = entries.map((entry) => ({ ...entry }));
  try {
    return work();
  } finally {
    customer.entries = entries;
  }
}
