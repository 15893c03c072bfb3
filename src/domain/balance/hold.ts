import type { BalanceEntry } from "./balance.ts";
import type { Instant } from "../calendar.ts";
import { lineTotal, totalsOf, type InvoiceLine, type LineAmounts, type Totals } from "../invoice/invoice.ts";

/**
 * A charge that a bank took back and has not returned, with the credit that came from the charge (minor units, 0 or
 * more). `since`: the instant at which the charge was disputed.
 */
export type DisputedCredit = { currency: string; disputed: number; credited: number; since: Instant };

/** A hold on a Customer's credit in one currency: held credit can't be spent (rule D7). */
export type Hold = {
  currency: string;
  /** The largest amount that the hold covers. */
  claim: number;
  /** The unspent credit that operators gave. This credit is spent first, and never held. */
  granted: number;
};

/**
 * The holds on credit from disputed or lost charges, by currency (rule D7). Each charge counts with the credit from it,
 * at most the amount that the bank took back. Credit that operators have taken away since the dispute is subtracted.
 * `entries`: the entries of the Customer's balances, oldest first.
 */
export function holdsOf(disputed: readonly DisputedCredit[], entries: readonly BalanceEntry[]): Hold[] {
  return [...Map.groupBy(disputed, ({ currency }) => currency)].map(([currency, charges]) => {
    const claimed = (at: Instant) =>
      charges
        .filter(({ since }) => since <= at)
        .reduce((sum, charge) => sum + Math.min(charge.disputed, charge.credited), 0);
    const movements = entries.filter((entry) => entry.currency === currency);
    const { granted, takenAway } = sortCredit(movements, claimed);
    const latest = Math.max(...charges.map(({ since }) => since)) as Instant;
    return { currency, claim: claimed(latest) - takenAway, granted };
  });
}

/**
 * Separates credit that operators gave from other credit. An entry below zero uses operators' credit first. An entry
 * above zero pays off a debt first. `takenAway`: the sum of the other credit that operators took away. After each of
 * these entries, the sum is at most `claimed` as of that entry.
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
 * Applies a hold to the available credit (minor units): to the balance first, then to `credited`, the credit among
 * the lines of an invoice that is being made. `reserved`: the part of the balance that pending changes use; `balance`
 * excludes this part.
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

/**
 * Usable credit. `balance` excludes the amount that pending changes have `reserved`. `hold`: the hold on the balance.
 */
export type Funds = { balance: number; reserved: number; hold: Hold | undefined };

/** A line that is to be billed. A line that is not stored yet has no id. */
export type QuotedLine = LineAmounts & Partial<Pick<InvoiceLine, "id" | "creditedLineId">>;

/**
 * The credit among these lines, in minor units (0 or more). A line that credits another line of the same list does
 * not count: no charge has paid that other line yet (rule D7).
 */
function creditAmong(lines: readonly QuotedLine[]): number {
  const ids = new Set(lines.map(({ id }) => id));
  const credits = lines.filter(({ creditedLineId }) => !creditedLineId || !ids.has(creditedLineId));
  return credits.reduce((sum, line) => sum + Math.max(0 - lineTotal(line), 0), 0);
}

/**
 * The totals of lines, settled with the balance except for held credit (rules M4, D7). `last`: the lines are the last
 * invoice of a Subscription, which makes no charge if its total is not above zero.
 */
export function totalsWith(
  lines: readonly QuotedLine[],
  { balance, reserved, hold }: Funds,
  minimum: number,
  last = false,
): Totals {
  const total = lines.reduce((sum, line) => sum + lineTotal(line), 0);
  const { onBalance, onLines } = applyHold(hold, {
    balance,
    reserved,
    credited: last && total <= 0 ? 0 : creditAmong(lines),
  });
  return totalsOf(lines, balance - onBalance, minimum, onLines);
}
