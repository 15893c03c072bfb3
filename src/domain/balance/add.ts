import type { Account } from "../billing/customer-billing.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { isHeld, putEntry, settleDebts, type Movement } from "./move.ts";
import { merged, type LotPart } from "../model/credit-source.ts";
import { writeOffLots } from "./write-off.ts";

/**
 * Adds credit to a balance. Each source and billed line gets an entry of its own, a lot. A lot first settles open
 * debts, oldest first (rule I6b). Held credit settles no debt (rule D7a). Credit from a lost charge is written off at
 * once (rule D7d).
 */
export function addCredit(account: Account, movement: Movement, parts: readonly LotPart[]): BalanceEntry[] {
  const entries = merged(parts)
    .filter(({ amount }) => amount > 0)
    .map(({ amount, source, paymentId, creditedLineId }) => {
      const remaining = isHeld(account, { paymentId }) ? amount : settleDebts(account, movement.currency, amount);
      return putEntry(account, movement, { amount, remaining, source, paymentId, creditedLineId });
    });
  const lost = new Set(account.disputes.where(({ status }) => status === "lost").map(({ paymentId }) => paymentId));
  for (const { paymentId } of parts)
    if (paymentId !== null && lost.has(paymentId)) writeOffLots(account, paymentId, movement);
  return entries;
}
