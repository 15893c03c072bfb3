import type { BalanceEntry } from "./balance.ts";
import type { Instant } from "../calendar.ts";
import { lineTotal, totalsOf, type InvoiceLine, type LineAmounts, type Totals } from "../invoice/invoice.ts";

/**
 * A charge that a bank took back and did not return, with the credit that had come from it (minor units, 0 or more). `since`: when it was
 * disputed.
 */
export type DisputedCredit = { currency: string; disputed: number; credited: number; since: Instant };

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
 * back, less credit that operators have taken away since its dispute. `entries`: those of the Customer's balances, oldest first.
 */
export function holdsOf(disputed: readonly DisputedCredit[], entries: readonly BalanceEntry[]): Hold[] {
  return [...Map.groupBy(disputed, ({ currency }) => currency)].map(([currency, charges]) => {
    const claimed = (at: Instant) =>
      charges.filter(({ since }) => since <= at).reduce((sum, charge) => sum + Math.min(charge.disputed, charge.credited), 0);
    const movements = entries.filter((entry) => entry.currency === currency);
    const { granted, takenAway } = sortCredit(movements, claimed);
    const latest = Math.max(...charges.map(({ since }) => since)) as Instant;
    return { currency, claim: claimed(latest) - takenAway, granted };
  });
}

/**
 * Tells credit that operators gave from all other credit. Each movement uses the first kind before the second; a debt is filled first.
 * `takenAway`: what operators took of the second kind, at most the amount that was `claimed` by then.
 */
function sortCredit(
  entries: readonly Pick<BalanceEntry, "amount" | "reason" | "createdAt">[],
  claimed: (at: Instant) => number,
): { granted: number; takenAway: number } {
  let [granted, other, takenAway] = [0, 0, 0];
  for (const { amount, reason, createdAt } of entries) {
    const byHand = reason === "adjustment";
    const fills = Math.min(Math.max(-other, 0), Math.max(amount, 0));
    const uses = Math.min(granted, Math.max(-amount, 0));
    const rest = amount - fills + uses;
    if (byHand && rest < 0) takenAway += Math.min(Math.max(other, 0), -rest, claimed(createdAt) - takenAway);
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

/** Credit that can be used: `balance` without the amount that pending changes have `reserved`, and the hold on it. */
export type Funds = { balance: number; reserved: number; hold: Hold | undefined };

/** A line that is to be billed; without an id where it was not written before. */
export type QuotedLine = LineAmounts & Partial<Pick<InvoiceLine, "id" | "creditedLineId">>;

/**
 * The credit among lines, in minor units (0 or more), that gives back what was billed elsewhere. A credit of another of these lines is
 * none: nothing was paid for that line yet (rule D7).
 */
function creditAmong(lines: readonly QuotedLine[]): number {
  const ids = new Set(lines.map(({ id }) => id));
  const credits = lines.filter(({ creditedLineId }) => !creditedLineId || !ids.has(creditedLineId));
  return credits.reduce((sum, line) => sum + Math.max(0 - lineTotal(line), 0), 0);
}

/**
 * The totals of lines when the balance may be used, but no credit that is held (rules M4, D7). `last`: the last invoice of a Subscription,
 * which charges nothing where its total is not above zero.
 */
export function totalsWith(lines: readonly QuotedLine[], { balance, reserved, hold }: Funds, minimum: number, last = false): Totals {
  const total = lines.reduce((sum, line) => sum + lineTotal(line), 0);
  const { onBalance, onLines } = applyHold(hold, { balance, reserved, credited: last && total <= 0 ? 0 : creditAmong(lines) });
  return totalsOf(lines, balance - onBalance, minimum, onLines);
}
