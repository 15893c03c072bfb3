import type { CustomerBilling, BalanceRows, CreditRows } from "../billing/customer-billing.ts";
import { BALANCES, OPEN_ITEMS, keyOf } from "../billing/parts.ts";
import { post } from "../ledger/post.ts";
import { isStanding } from "../model/dispute.ts";
import { creditLost, writtenOff } from "../model/ledger.ts";
import { sumOf, type Amount } from "../money.ts";
import { isLot, partOf, type Balance, type BalanceEntry, type Lot } from "../model/balance.ts";
import { compareSources, isSameSource, merged, totalOfParts, type LotPart } from "../model/credit-source.ts";
import { Refusal } from "../refusal.ts";
import { newId } from "../../ids.ts";

/** The cause of a movement, and the rows that it concerns. */
type Movement = Pick<BalanceEntry, "currency" | "reason" | "invoiceId" | "createdAt"> &
  Partial<Pick<BalanceEntry, "note" | "refundId">>;

/** The Customer's balance in each currency that ever had an entry, sorted by currency. */
export function balancesOf(billing: BalanceRows): Balance[] {
  billing.need(OPEN_ITEMS);
  const amounts = new Map(billing.loaded.balances.map(({ currency, amount }) => [currency, amount]));
  // The loaded balances are the sums of all stored entries.
  for (const { currency, amount } of billing.balanceEntries.changes().inserted) {
    amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
  }
  const balances = [...amounts].map(([currency, amount]) => ({ currency, amount }));
  return balances.sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** The Customer's balance in a currency, in minor units; 0 without an entry. */
export function balanceIn(billing: BalanceRows, currency: string): Amount {
  return balancesOf(billing).find((balance) => balance.currency === currency)?.amount ?? 0;
}

/**
 * Refuses a change of a balance to which a person agreed on a page with another balance. So a credit that is given from
 * two pages at the same time is given once. `seen` null: there was no page.
 * @throws Refusal 412 `precondition_failed`
 */
export function requireSeenBalance(billing: BalanceRows, currency: string, seen: Amount | null): void {
  if (seen !== null && balanceIn(billing, currency) !== seen) throw new Refusal("precondition_failed");
}

/**
 * Whether a balance is above zero. Most Customers have no credit. For them, a purchase does not load the open items.
 */
export function hasCredit(billing: BalanceRows, currency: string): boolean {
  const { parts, balances } = billing.loaded;
  if (parts.has(keyOf(OPEN_ITEMS))) return balanceIn(billing, currency) > 0;
  billing.need(BALANCES);
  return balances.some((balance) => balance.currency === currency && balance.amount > 0);
}

/**
 * The entries of a currency that still count, oldest first. A lot and a debt can stand beside each other only after a
 * dispute. So a Customer with balances of 0 and without disputes has no such entries, and their rows are not loaded.
 */
export function openEntries(billing: BalanceRows, currency: string): BalanceEntry[] {
  billing.need(OPEN_ITEMS);
  const mayHaveEntries =
    billing.loaded.balances.some(({ amount }) => amount !== 0) || billing.loaded.rows.disputes.length > 0;
  if (mayHaveEntries) billing.need({ part: "open_entries" });
  return billing.balanceEntries.where((entry) => entry.currency === currency && entry.remaining !== 0);
}

/** The lots of a currency that are not used up, oldest first. */
export const lotsIn = (billing: BalanceRows, currency: string): Lot[] => openEntries(billing, currency).filter(isLot);

/** Whether a dispute holds a lot back: its charge is disputed or lost (rules D7a, D7e). */
export function isHeld(billing: Pick<CustomerBilling, "disputes">, { paymentId }: Pick<Lot, "paymentId">): boolean {
  if (paymentId === null) return false;
  return billing.disputes.where((dispute) => dispute.paymentId === paymentId && isStanding(dispute)).length > 0;
}

/** Held credit of a currency, in minor units (rule D7). */
export const heldIn = (billing: CreditRows, currency: string): Amount =>
  sumOf(
    lotsIn(billing, currency)
      .filter((lot) => isHeld(billing, lot))
      .map(({ remaining }) => remaining),
  );

/** A balance without held credit, in minor units; below zero for a debt. */
export const spendableIn = (billing: CreditRows, currency: string): Amount =>
  balanceIn(billing, currency) - heldIn(billing, currency);

/** Settles open debts with an amount, oldest debt first. Returns the part of the amount that is left. */
function settleDebts(billing: BalanceRows, currency: string, amount: Amount): Amount {
  const debts = openEntries(billing, currency).filter(({ remaining }) => remaining < 0);
  return debts.reduce((left, debt) => {
    const settled = Math.min(0 - debt.remaining, left);
    if (settled > 0) billing.balanceEntries.put({ ...debt, remaining: debt.remaining + settled });
    return left - settled;
  }, amount);
}

/** Settles open debts with lots that a dispute no longer holds (rules D7c, I6b). */
export function settleWithLots(billing: CreditRows, currency: string): void {
  for (const lot of spendableLots(billing, currency)) {
    const remaining = settleDebts(billing, currency, lot.remaining);
    if (remaining < lot.remaining) billing.balanceEntries.put({ ...lot, remaining });
  }
}

/** The order in which lots are taken; below zero: `one` comes first. */
type LotOrder = (one: Lot, other: Lot) => number;

/** Uses up to an amount of these lots, in order. Returns the parts that were used. */
function useLots(billing: Pick<CustomerBilling, "balanceEntries">, amount: Amount, lots: readonly Lot[]): LotPart[] {
  const used: LotPart[] = [];
  let wanted = amount;
  for (const lot of lots) {
    const part = Math.min(lot.remaining, wanted);
    if (part <= 0) continue;
    wanted -= part;
    used.push({ ...partOf(lot), amount: part });
    billing.balanceEntries.put({ ...lot, remaining: lot.remaining - part });
  }
  return used;
}

type EntryRows = Pick<CustomerBilling, "balanceEntries" | "customer" | "organization">;

/** Takes an amount off a balance, by one entry. Returns the parts of lots that were used; the rest is a debt. */
export function takeCredit(
  billing: EntryRows,
  movement: Movement,
  amount: Amount,
  lots: readonly Lot[],
): { used: LotPart[]; entry: BalanceEntry | null } {
  if (amount === 0) return { used: [], entry: null };
  const used = useLots(billing, amount, lots);
  return { used: merged(used), entry: putDebit(billing, movement, amount, used) };
}

/**
 * Takes given parts back, by one entry. Each part comes from lots with its own source and line, held or not, and else
 * from lots in the order of spending; the rest is a debt.
 */
export function takeBack(billing: CreditRows & EntryRows, movement: Movement, parts: readonly LotPart[]): void {
  const amount = totalOfParts(parts);
  if (amount === 0) return;
  const { currency } = movement;
  const own = merged(parts).flatMap((part) => useLots(billing, part.amount, lotsLike(billing, currency, part)));
  const others = useLots(billing, amount - totalOfParts(own), spendableLots(billing, currency));
  putDebit(billing, movement, amount, [...own, ...others]);
}

function putDebit(billing: EntryRows, movement: Movement, amount: Amount, used: readonly LotPart[]): BalanceEntry {
  const none = { source: null, paymentId: null, creditedLineId: null };
  return putEntry(billing, movement, { amount: -amount, remaining: totalOfParts(used) - amount, ...none });
}

type Content = Pick<BalanceEntry, "amount" | "remaining" | "source" | "paymentId" | "creditedLineId">;

function putEntry(billing: EntryRows, movement: Movement, content: Content): BalanceEntry {
  const { organization, customer } = billing;
  const owner = { organizationId: organization.id, id: newId("bal"), customerId: customer.id };
  const entry: BalanceEntry = { note: null, refundId: null, ...movement, ...content, ...owner };
  billing.balanceEntries.put(entry);
  return entry;
}

/** The lots that an invoice may use, in the order of spending: held credit is left out (rules I6c, D7). */
export const spendableLots = (billing: CreditRows, currency: string): Lot[] =>
  lotsIn(billing, currency)
    .filter((lot) => !isHeld(billing, lot))
    .toSorted(compareSources);

/**
 * The lots in the order in which an operator takes credit away: granted first, the newest charge and held last
 * (rules D7f, I6d).
 */
export function lotsForAdjustment(billing: CreditRows, currency: string): Lot[] {
  const byOrigin: LotOrder = (one, other) =>
    Number(isHeld(billing, one)) - Number(isHeld(billing, other)) || compareSources(other, one);
  return lotsIn(billing, currency).toSorted(byOrigin);
}

/**
 * The spendable lots that can go back to the card of a charge, newest first. Credit of a refund that failed late can't
 * (rule I8c).
 */
export const lotsOfCharge = (billing: CreditRows, currency: string, paymentId: string): Lot[] =>
  spendableLots(billing, currency)
    .filter((lot) => lot.source === "payment" && lot.paymentId === paymentId)
    .reverse();

/** The lots with the source and the billed line of a part. */
const lotsLike = (billing: BalanceRows, currency: string, part: LotPart): Lot[] =>
  lotsIn(billing, currency).filter((lot) => isSameSource(part, lot) && part.creditedLineId === lot.creditedLineId);

/** Brings a balance to 0, by one entry: all lots and debts are closed. Null for a balance of 0 (rule I5j). */
export function closeBalance(billing: CustomerBilling, movement: Movement, amount: Amount): BalanceEntry | null {
  for (const entry of openEntries(billing, movement.currency)) billing.balanceEntries.put({ ...entry, remaining: 0 });
  if (amount === 0) return null;
  const none = { source: null, paymentId: null, creditedLineId: null };
  const granted = { source: "granted", paymentId: null, creditedLineId: null } as const;
  return putEntry(billing, movement, { amount: -amount, remaining: 0, ...(amount > 0 ? none : granted) });
}

/**
 * Adds credit to a balance. Each source and billed line gets an entry of its own, a lot. A lot first settles open
 * debts, oldest first (rule I6b). Held credit settles no debt (rule D7a). Credit from a lost charge is written off at
 * once (rule D7d).
 */
export function addCredit(billing: CustomerBilling, movement: Movement, parts: readonly LotPart[]): BalanceEntry[] {
  const entries = merged(parts)
    .filter(({ amount }) => amount > 0)
    .map(({ amount, source, paymentId, creditedLineId }) => {
      const remaining = isHeld(billing, { paymentId }) ? amount : settleDebts(billing, movement.currency, amount);
      return putEntry(billing, movement, { amount, remaining, source, paymentId, creditedLineId });
    });
  const lost = new Set(billing.disputes.where(({ status }) => status === "lost").map(({ paymentId }) => paymentId));
  for (const { paymentId } of parts)
    if (paymentId !== null && lost.has(paymentId)) writeOffLots(billing, paymentId, movement);
  return entries;
}

/** Writes off each balance by an entry (rule I5j). */
export function writeOff(billing: CustomerBilling): void {
  const { now } = billing;
  for (const { currency, amount } of balancesOf(billing)) {
    const movement = { currency, reason: "written_off", invoiceId: null, createdAt: now } as const;
    const entry = closeBalance(billing, movement, amount);
    if (entry) post(billing, "balance_written_off", entry.id, currency, writtenOff(amount), now);
  }
}

/** Writes off the lots of a lost charge: credit from this charge is worth 0 (rule D7d). */
export function writeOffLots(
  billing: CustomerBilling,
  paymentId: string,
  { currency, invoiceId }: Pick<BalanceEntry, "currency" | "invoiceId">,
): void {
  const lots = lotsIn(billing, currency).filter((lot) => lot.paymentId === paymentId);
  const amount = sumOf(lots.map(({ remaining }) => remaining));
  const movement = { currency, reason: "dispute_lost", invoiceId, createdAt: billing.now } as const;
  const { entry } = takeCredit(billing, movement, amount, lots);
  if (entry) post(billing, "credit_lost", entry.id, currency, creditLost(amount), billing.now);
}
