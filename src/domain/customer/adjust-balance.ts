import type { Account } from "../billing/customer-billing.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { runDue } from "../collection/due.ts";
import { adjusted } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { MAX_AMOUNT, type Amount } from "../money.ts";
import { AppError, invalid } from "../../errors.ts";
import { addCredit } from "../balance/add.ts";
import { balanceIn, lotsForAdjustment, requireSeenBalance, takeCredit } from "../balance/move.ts";
import { GRANTED } from "../model/credit-source.ts";

/** `amount`: minor units, not 0; a negative amount is taken away. `reason`: the operator's own words. */
export type Adjustment = { currency: string; amount: number; reason: string };

/**
 * Adds an operator's amount to a balance, or subtracts the amount. Renewals and changes use the new balance from now
 * on; existing invoices stay as they are (rule M4). `seen`: as for `requireSeenBalance`.
 * @throws AppError 404, 412, 422 if the balance would pass the largest amount (rule M1)
 */
export function adjustBalance(
  account: Account,
  { currency, amount, reason: note }: Adjustment,
  seen: Amount | null = null,
): BalanceEntry {
  if (account.customer.deletedAt !== null) throw new AppError("not_found");
  runDue(account);
  requireSeenBalance(account, currency, seen);
  const balance = balanceIn(account, currency);
  if (Math.abs(balance + amount) > MAX_AMOUNT) {
    throw invalid(
      "/amount",
      "balance_too_large",
      `The balance is ${balance}. It can't go beyond ${MAX_AMOUNT} either side of zero.`,
    );
  }
  const entry = move(account, { currency, amount, note });
  if (!entry) throw new RangeError("an adjustment of 0");
  post(account, "balance_adjusted", entry.id, currency, adjusted(amount), account.now);
  return entry;
}

/** Credit that an operator gives is granted. An operator takes granted credit away first, and held credit last. */
function move(
  account: Account,
  { currency, amount, note }: { currency: string; amount: Amount; note: string },
): BalanceEntry | null {
  const movement = { currency, reason: "adjustment", note, invoiceId: null, createdAt: account.now } as const;
  if (amount < 0) return takeCredit(account, movement, -amount, lotsForAdjustment(account, currency)).entry;
  return addCredit(account, movement, [{ ...GRANTED, creditedLineId: null, amount }])[0] ?? null;
}
