import type { Account } from "../account/account.ts";
import { BOOKS } from "../account/parts.ts";
import type { Balance, BalanceEntry } from "./balance.ts";
import { newId } from "../../ids.ts";

type Movement = Pick<BalanceEntry, "currency" | "amount" | "reason" | "invoiceId" | "createdAt"> & { note?: string | null };

/**
 * Moves a balance by minor units, positive in the Customer's favour. The answer is the entry that gives the reason; null for an amount of
 * 0, which is no movement.
 */
export function moveBalance(account: Account, { note = null, ...movement }: Movement): BalanceEntry | null {
  if (movement.amount === 0) return null;
  const { organization, customer } = account;
  const entry: BalanceEntry = { ...movement, note, organizationId: organization.id, id: newId("bal"), customerId: customer.id };
  account.balanceEntries.put(entry);
  return entry;
}

/** The Customer's balance in each currency that it ever had an entry in, in the order of the currencies. */
export function balancesOf(account: Account): Balance[] {
  account.need(BOOKS);
  const amounts = new Map(account.loaded.balances.map(({ currency, amount }) => [currency, amount]));
  // The balances that were loaded are the sums of all entries that were stored.
  for (const { currency, amount } of account.balanceEntries.changes().inserted) {
    amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
  }
  const balances = [...amounts].map(([currency, amount]) => ({ currency, amount }));
  return balances.sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** The Customer's balance in a currency, in minor units; 0 where there is none. */
export function balanceIn(account: Account, currency: string): number {
  return balancesOf(account).find((balance) => balance.currency === currency)?.amount ?? 0;
}
