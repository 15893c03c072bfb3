import type { Account } from "../account/account.ts";
import { BOOKS } from "../account/parts.ts";
import type { Balance, BalanceEntry } from "./balance.ts";
import { newId } from "../../ids.ts";

type Movement = Pick<BalanceEntry, "currency" | "amount" | "reason" | "invoiceId" | "createdAt"> & {
  note?: string | null;
};

/**
 * Moves a balance by an amount in minor units, positive in the Customer's favour. Returns the new entry; null for an
 * amount of 0, which is no movement.
 */
export function moveBalance(account: Account, { note = null, ...movement }: Movement): BalanceEntry | null {
  if (movement.amount === 0) return null;
  const { organization, customer } = account;
  const entry: BalanceEntry = {
    ...movement,
    note,
    organizationId: organization.id,
    id: newId("bal"),
    customerId: customer.id,
  };
  account.balanceEntries.put(entry);
  return entry;
}

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
export function balanceIn(account: Account, currency: string): number {
  return balancesOf(account).find((balance) => balance.currency === currency)?.amount ?? 0;
}
