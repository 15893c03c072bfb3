import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { runDue } from "../collection/due.ts";
import { adjusted } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { MAX_AMOUNT, type Amount } from "../money.ts";
import { balanceIn, lotsForAdjustment, requireSeenBalance, takeCredit, addCredit } from "../balance/move.ts";
import { GRANTED } from "../model/credit-source.ts";
import { Refusal } from "../refusal.ts";

/** `amount`: minor units, not 0; a negative amount is taken away. `reason`: the operator's own words. */
export type Adjustment = { currency: string; amount: number; reason: string };

/**
 * Adds an operator's amount to a balance, or subtracts the amount. Renewals and changes use the new balance from now
 * on; existing invoices stay as they are (rule M4). `seen`: as for `requireSeenBalance`.
 * @throws Refusal 404, 412, 422 if the balance would pass the largest amount (rule M1)
 */
export function adjustBalance(
  billing: CustomerBilling,
  { currency, amount, reason: note }: Adjustment,
  seen: Amount | null = null,
): BalanceEntry {
  if (billing.customer.deletedAt !== null) throw new Refusal("not_found");
  runDue(billing);
  requireSeenBalance(billing, currency, seen);
  const balance = balanceIn(billing, currency);
  if (Math.abs(balance + amount) > MAX_AMOUNT) {
    const money = (each: Amount) => ({ currency, amount: each });
    throw new Refusal("balance_too_large", { field: "/amount", balance: money(balance), most: money(MAX_AMOUNT) });
  }
  const entry = move(billing, { currency, amount, note });
  if (!entry) throw new RangeError("an adjustment of 0");
  post(billing, "balance_adjusted", entry.id, currency, adjusted(amount), billing.now);
  return entry;
}

/** Credit that an operator gives is granted. An operator takes granted credit away first, and held credit last. */
function move(
  billing: CustomerBilling,
  { currency, amount, note }: { currency: string; amount: Amount; note: string },
): BalanceEntry | null {
  const movement = { currency, reason: "adjustment", note, invoiceId: null, createdAt: billing.now } as const;
  if (amount < 0) return takeCredit(billing, movement, -amount, lotsForAdjustment(billing, currency)).entry;
  return addCredit(billing, movement, [{ ...GRANTED, creditedLineId: null, amount }])[0] ?? null;
}
