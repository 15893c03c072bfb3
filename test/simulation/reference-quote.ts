import { MINIMUM } from "./history.ts";
import { availableOf, bySpending, isLost, standingDispute, sum } from "./reference-balance.ts";
import { totalOf } from "./reference-lines.ts";
import { settleWith } from "./reference-math.ts";
import { reservedBySales } from "./reference-reserved.ts";
import { live, type Customer, type Given, type Line, type Quote } from "./reference-model.ts";

// The balance's share of an invoice, and the credit that can't be spent (docs/rules.md: M4, M5, D7).

/**
 * The balance's share of these lines now. `last`: they make a last invoice, which charges only a total above zero.
 */
export function quote(customer: Customer, currency: string, lines: readonly Line[], last = false): Quote {
  return settle(customer, currency, freeBalance(customer, currency), lines, last);
}

/** The part of a balance that is neither held nor reserved by a change in progress; below zero for a debt. */
export function freeBalance(customer: Customer, currency: string): number {
  const changes = live(customer).filter((sub) => sub.currency === currency && sub.changing);
  let balance = availableOf(customer, currency);
  const isCredit = balance > 0;
  for (const { changing } of changes) {
    const { applied, due } = changing!;
    if (isCredit && applied > 0) balance = Math.max(balance - applied, 0);
    if (!isCredit && applied < 0 && due > 0) balance = Math.min(balance - applied, 0);
  }
  if (isCredit) balance = Math.max(balance - reservedBySales(customer, currency), 0);
  return balance;
}

/** A balance's share of these lines, and the parts of them that go to the balance. */
function settle(customer: Customer, currency: string, balance: number, lines: readonly Line[], last: boolean): Quote {
  const credits = lines
    .flatMap((line) => (line.sources ?? []).map((part) => ({ ...part, line: line.source, from: line })))
    .toSorted(bySpending);
  const total = totalOf(lines);
  const disputed = credits.filter(({ origin }) => standingDispute(customer, origin) !== null);
  const held = last && total <= 0 ? [] : disputed;
  const quoted = settleWith(balance, total, sum(held), MINIMUM[currency]!);
  const rest = credits.filter((credit) => !held.includes(credit));
  const given = [...held, ...endOf(rest, Math.max(0 - total - sum(held), 0))].toSorted(bySpending);
  return { ...quoted, given };
}

/** The gain of the balance from a new invoice. Credit from a lost payment is written off at once (rule D7d). */
export const gainOf = (customer: Customer, { applied, given }: Pick<Quote, "applied" | "given">): number =>
  0 - applied - sum(given.filter(({ origin }) => isLost(customer, origin)));

/** The end of the spending order, up to an amount. A part without a source is granted. */
function endOf(credits: readonly Given[], amount: number): Given[] {
  let missing = amount;
  const found = credits.toReversed().flatMap((credit) => {
    const part = Math.min(credit.amount, missing);
    missing -= part;
    return part > 0 ? [{ ...credit, amount: part }] : [];
  });
  const unknown: Given = { origin: "granted", line: null, from: null, amount: missing };
  return missing > 0 ? [...found.toReversed(), unknown] : found.toReversed();
}
