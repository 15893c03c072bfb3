import type { Account } from "../billing/customer-billing.ts";
import { creditLost, writtenOff } from "../model/ledger.ts";
import { post } from "../ledger/post.ts";
import { sumOf } from "../money.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { balancesOf, closeBalance, lotsIn, takeCredit } from "./move.ts";

/** Writes off each balance by an entry (rule I5j). */
export function writeOff(account: Account): void {
  const { now } = account;
  for (const { currency, amount } of balancesOf(account)) {
    const movement = { currency, reason: "written_off", invoiceId: null, createdAt: now } as const;
    const entry = closeBalance(account, movement, amount);
    if (entry) post(account, "balance_written_off", entry.id, currency, writtenOff(amount), now);
  }
}

/** Writes off the lots of a lost charge: credit from this charge is worth 0 (rule D7d). */
export function writeOffLots(
  account: Account,
  paymentId: string,
  { currency, invoiceId }: Pick<BalanceEntry, "currency" | "invoiceId">,
): void {
  const lots = lotsIn(account, currency).filter((lot) => lot.paymentId === paymentId);
  const amount = sumOf(lots.map(({ remaining }) => remaining));
  const movement = { currency, reason: "dispute_lost", invoiceId, createdAt: account.now } as const;
  const { entry } = takeCredit(account, movement, amount, lots);
  if (entry) post(account, "credit_lost", entry.id, currency, creditLost(amount), account.now);
}
