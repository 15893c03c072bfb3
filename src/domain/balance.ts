import type { Instant } from "./calendar.ts";

export type Balance = { currency: string; amount: number };

/** What moves a balance: invoices, their end, money that came for a void one, refunds, an operator, the Customer's deletion. */
export const BALANCE_REASONS = ["invoice", "invoice_voided", "unapplied_payment", "refund", "adjustment", "written_off"] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];

/** Why a balance moved, and how far: positive in the Customer's favour. */
export type BalanceEntry = {
  organizationId: string;
  id: string;
  customerId: string;
  currency: string;
  amount: number;
  reason: BalanceReason;
  /** The operator's own words. */
  note: string | null;
  invoiceId: string | null;
  createdAt: Instant;
};

/** A charge that a bank took back and did not return, with the credit that had come from it (minor units, 0 or more). */
export type DisputedCredit = { currency: string; disputed: number; credited: number };

/** Why a part of a Customer's credit in one currency can't be spent (rule D7). */
export type Hold = {
  currency: string;
  /** At most so much credit is held. */
  claim: number;
  /** Credit that operators gave, as far as it is left: it is spent first, and never held. */
  granted: number;
};

/**
 * The credit that came from disputed or lost charges, for each currency (rule D7): of each charge at most the amount that its bank took
 * back, less credit that operators have taken away. `entries`: those of the Customer's balances, oldest first.
 */
export function holdsOf(disputed: readonly DisputedCredit[], entries: readonly BalanceEntry[]): Hold[] {
  return [...Map.groupBy(disputed, ({ currency }) => currency)].map(([currency, charges]) => {
    const credit = charges.reduce((sum, charge) => sum + Math.min(charge.disputed, charge.credited), 0);
    const { granted, takenAway } = sortCredit(entries.filter((entry) => entry.currency === currency));
    return { currency, claim: Math.max(credit - takenAway, 0), granted };
  });
}

/** Tells credit that operators gave from all other credit. Each movement uses the first kind before the second; a debt is filled first. */
function sortCredit(entries: readonly Pick<BalanceEntry, "amount" | "reason">[]): { granted: number; takenAway: number } {
  let [granted, other, takenAway] = [0, 0, 0];
  for (const { amount, reason } of entries) {
    const byHand = reason === "adjustment";
    const fills = Math.min(Math.max(-other, 0), Math.max(amount, 0));
    const uses = Math.min(granted, Math.max(-amount, 0));
    const rest = amount - fills + uses;
    if (byHand && rest < 0) takenAway += Math.min(Math.max(other, 0), -rest);
    granted += byHand && rest > 0 ? rest : -uses;
    other += fills + (byHand && rest > 0 ? 0 : rest);
  }
  return { granted, takenAway };
}

/**
 * How a hold falls upon the credit that there is (minor units): on the balance first, then on `credited`, the credit among the lines of an
 * invoice that is being made. `reserved` of the balance is taken by changes that are being paid, and not a part of `balance` any more.
 */
export function applyHold(
  hold: Hold | undefined,
  { balance, reserved, credited }: { balance: number; reserved: number; credited: number },
): { onBalance: number; onLines: number } {
  if (!hold) return { onBalance: 0, onLines: 0 };
  const granted = Math.max(hold.granted - reserved, 0);
  const onBalance = Math.min(hold.claim, Math.max(balance - granted, 0));
  return { onBalance, onLines: Math.min(hold.claim - onBalance, credited) };
}
