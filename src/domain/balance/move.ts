import type { Account } from "../billing/customer-billing.ts";
import { BALANCES, BOOKS, keyOf } from "../billing/parts.ts";
import { isStanding } from "../model/dispute.ts";
import { sumOf, type Amount } from "../money.ts";
import { isLot, partOf, type Balance, type BalanceEntry, type Lot } from "../model/balance.ts";
import { compareSources, isSameSource, merged, type LotPart } from "../model/credit-source.ts";
import { newId } from "../../ids.ts";
import { AppError } from "../../errors.ts";

/** The cause of a movement, and the rows that it concerns. */
export type Movement = Pick<BalanceEntry, "currency" | "reason" | "invoiceId" | "createdAt"> &
  Partial<Pick<BalanceEntry, "note" | "refundId">>;

/** The Customer's balance in each currency that ever had an entry, sorted by currency. */
export function balancesOf(account: Account): Balance[] {
  account.need(BOOKS);
  const amounts = new Map(account.loaded.balances.map(({ currency, amount }) => [currency, amount]));
  // The loaded balances are the sums of all stored entries.
  for (const { currency, amount } of account.balanceEntries.changes().inserted) {
    amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
  }
  const balances = [...amounts].map(([currency, amount]) => ({ currency, amount }));
  return balances.sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** The Customer's balance in a currency, in minor units; 0 without an entry. */
export function balanceIn(account: Account, currency: string): Amount {
  return balancesOf(account).find((balance) => balance.currency === currency)?.amount ?? 0;
}

/**
 * Refuses a change of a balance to which a person agreed on a page with another balance. So a credit that is given from
 * two pages at the same time is given once. `seen` null: there was no page.
 * @throws AppError 412 `precondition_failed`
 */
export function requireSeenBalance(account: Account, currency: string, seen: Amount | null): void {
  if (seen !== null && balanceIn(account, currency) !== seen) throw new AppError("precondition_failed");
}

/**
 * Whether a balance is above zero. Most Customers have no credit. For them, a purchase does not load the books.
 */
export function hasCredit(account: Account, currency: string): boolean {
  const { parts, balances } = account.loaded;
  if (parts.has(keyOf(BOOKS))) return balanceIn(account, currency) > 0;
  account.need(BALANCES);
  return balances.some((balance) => balance.currency === currency && balance.amount > 0);
}

/**
 * The entries of a currency that still count, oldest first. A lot and a debt can stand beside each other only after a
 * dispute. So a Customer with balances of 0 and without disputes has no such entries, and their rows are not loaded.
 */
export function openEntries(account: Account, currency: string): BalanceEntry[] {
  account.need(BOOKS);
  const mayHaveEntries =
    account.loaded.balances.some(({ amount }) => amount !== 0) || account.loaded.rows.disputes.length > 0;
  if (mayHaveEntries) account.need({ part: "open_entries" });
  return account.balanceEntries.where((entry) => entry.currency === currency && entry.remaining !== 0);
}

/** The lots of a currency that are not used up, oldest first. */
export const lotsIn = (account: Account, currency: string): Lot[] => openEntries(account, currency).filter(isLot);

/** Whether a dispute holds a lot back: its charge is disputed or lost (rules D7a, D7e). */
export function isHeld(account: Account, { paymentId }: Pick<Lot, "paymentId">): boolean {
  if (paymentId === null) return false;
  return account.disputes.where((dispute) => dispute.paymentId === paymentId && isStanding(dispute)).length > 0;
}

/** Held credit of a currency, in minor units (rule D7). */
export const heldIn = (account: Account, currency: string): Amount =>
  sumOf(
    lotsIn(account, currency)
      .filter((lot) => isHeld(account, lot))
      .map(({ remaining }) => remaining),
  );

/** A balance without held credit, in minor units; below zero for a debt. */
export const spendableIn = (account: Account, currency: string): Amount =>
  balanceIn(account, currency) - heldIn(account, currency);

/** Settles open debts with an amount, oldest debt first. Returns the part of the amount that is left. */
export function settleDebts(account: Account, currency: string, amount: Amount): Amount {
  const debts = openEntries(account, currency).filter(({ remaining }) => remaining < 0);
  return debts.reduce((left, debt) => {
    const settled = Math.min(0 - debt.remaining, left);
    if (settled > 0) account.balanceEntries.put({ ...debt, remaining: debt.remaining + settled });
    return left - settled;
  }, amount);
}

/** Settles open debts with lots that a dispute no longer holds (rules D7c, I6b). */
export function settleWithLots(account: Account, currency: string): void {
  for (const lot of spendableLots(account, currency)) {
    const remaining = settleDebts(account, currency, lot.remaining);
    if (remaining < lot.remaining) account.balanceEntries.put({ ...lot, remaining });
  }
}

/** The order in which lots are taken; below zero: `one` comes first. */
type LotOrder = (one: Lot, other: Lot) => number;

/** Takes an amount off a balance, by one entry. Returns the parts of lots that were used; the rest is a debt. */
export function takeCredit(
  account: Account,
  movement: Movement,
  amount: Amount,
  lots: readonly Lot[],
): { used: LotPart[]; entry: BalanceEntry | null } {
  if (amount === 0) return { used: [], entry: null };
  const used: LotPart[] = [];
  let wanted = amount;
  for (const lot of lots) {
    const part = Math.min(lot.remaining, wanted);
    if (part <= 0) continue;
    wanted -= part;
    used.push({ ...partOf(lot), amount: part });
    account.balanceEntries.put({ ...lot, remaining: lot.remaining - part });
  }
  const none = { source: null, paymentId: null, creditedLineId: null };
  return {
    used: merged(used),
    entry: putEntry(account, movement, { amount: -amount, remaining: 0 - wanted, ...none }),
  };
}

type Content = Pick<BalanceEntry, "amount" | "remaining" | "source" | "paymentId" | "creditedLineId">;

export function putEntry(account: Account, movement: Movement, content: Content): BalanceEntry {
  const { organization, customer } = account;
  const owner = { organizationId: organization.id, id: newId("bal"), customerId: customer.id };
  const entry: BalanceEntry = { note: null, refundId: null, ...movement, ...content, ...owner };
  account.balanceEntries.put(entry);
  return entry;
}

/** The lots that an invoice may use, in the order of spending: held credit is left out (rules I6c, D7). */
export const spendableLots = (account: Account, currency: string): Lot[] =>
  lotsIn(account, currency)
    .filter((lot) => !isHeld(account, lot))
    .toSorted(compareSources);

/**
 * The lots in the order in which an operator takes credit away: granted first, the newest charge and held last (rules
 * D7f, I6d).
 */
export function lotsForAdjustment(account: Account, currency: string): Lot[] {
  const byOrigin: LotOrder = (one, other) =>
    Number(isHeld(account, one)) - Number(isHeld(account, other)) || compareSources(other, one);
  return lotsIn(account, currency).toSorted(byOrigin);
}

/**
 * The spendable lots that can go back to the card of a charge, newest first. Credit of a refund that failed late can't
 * (rule I8c).
 */
export const lotsOfCharge = (account: Account, currency: string, paymentId: string): Lot[] =>
  spendableLots(account, currency)
    .filter((lot) => lot.source === "payment" && lot.paymentId === paymentId)
    .reverse();

/** The lots with the parts' own sources and lines first, then the others in the order of spending. */
export function lotsLike(account: Account, currency: string, parts: readonly LotPart[]): Lot[] {
  const all = lotsIn(account, currency).toSorted(compareSources);
  const isLike = (lot: Lot) =>
    parts.some((part) => isSameSource(part, lot) && part.creditedLineId === lot.creditedLineId);
  return [...all.filter(isLike), ...all.filter((lot) => !isLike(lot) && !isHeld(account, lot))];
}

/** Brings a balance to 0, by one entry: all lots and debts are closed. Null for a balance of 0 (rule I5j). */
export function closeBalance(account: Account, movement: Movement, amount: Amount): BalanceEntry | null {
  for (const entry of openEntries(account, movement.currency)) account.balanceEntries.put({ ...entry, remaining: 0 });
  if (amount === 0) return null;
  const none = { source: null, paymentId: null, creditedLineId: null };
  const granted = { source: "granted", paymentId: null, creditedLineId: null } as const;
  return putEntry(account, movement, { amount: -amount, remaining: 0, ...(amount > 0 ? none : granted) });
}
