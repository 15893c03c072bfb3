import { MINIMUM } from "./history.ts";
import { creditsOf, lineTotal, totalOf } from "./reference-invoice.ts";
import { settleWith } from "./reference-math.ts";
import { reservedBySales } from "./reference-reserved.ts";
import { live, type Customer, type Invoice, type Line, type Quote } from "./reference-model.ts";

// The balance's share of an invoice, and the credit that can't be spent (docs/rules.md: M4, M5, D7).

/**
 * `claim` is credit from charges that banks took back, less the parts that operators took away since. `granted` is
 * credit that operators gave (rule D7).
 */
export function heldOf(customer: Customer, currency: string): { claim: number; granted: number } {
  const { granted, taken } = customer.kinds.get(currency) ?? { granted: 0, taken: [] };
  const standing = customer.disputes.filter(({ status, invoice }) => status !== "won" && invoice.currency === currency);
  const claims = standing.map(({ at, amount, invoice }) => ({
    at,
    amount: Math.min(amount, creditFrom(customer, invoice)),
  }));
  let gone = 0;
  for (const { at, amount } of taken) gone += Math.min(amount, claimedUntil(claims, at) - gone);
  return { claim: claimedUntil(claims, Infinity) - gone, granted };
}

function claimedUntil(claims: readonly { at: number; amount: number }[], until: number): number {
  return claims.filter(({ at }) => at <= until).reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * The credit that came from an invoice's charge: refunds to the balance and credits of its lines. A void invoice
 * gives its whole charge.
 */
function creditFrom(customer: Customer, { status, due, lines, refunds, toCard }: Invoice): number {
  if (status === "void") return due;
  const credits = lines.flatMap((line) => creditsOf(customer, line)).filter(({ elsewhere }) => elsewhere);
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  return refunded - toCard - totalOf(credits.map(({ line }) => line));
}

/**
 * The balance's share of these lines now. `last`: they make a last invoice, which charges only a total above zero.
 */
export function quote(customer: Customer, currency: string, lines: readonly Line[], last = false): Quote {
  const changes = live(customer).filter((sub) => sub.currency === currency && sub.changing);
  let balance = customer.balances.get(currency) ?? 0;
  const isCredit = balance > 0;
  for (const { changing } of changes) {
    const { applied, due } = changing!;
    if (isCredit && applied > 0) balance = Math.max(balance - applied, 0);
    if (!isCredit && applied < 0 && due > 0) balance = Math.min(balance - applied, 0);
  }
  if (isCredit) balance = Math.max(balance - reservedBySales(customer, currency), 0);
  const reserved = Math.max((customer.balances.get(currency) ?? 0) - balance, 0);
  return settle(customer, currency, { balance, reserved, last }, lines);
}

/** A balance's share of these lines. `balance` is already less `reserved`, the part that pending changes use. */
export function settle(
  customer: Customer,
  currency: string,
  { balance, reserved, last }: { balance: number; reserved: number; last: boolean },
  lines: readonly Line[],
): Quote {
  const { claim, granted } = heldOf(customer, currency);
  const onBalance = Math.min(claim, Math.max(balance - Math.max(granted - reserved, 0), 0));
  // A credit of a line on this very invoice is left out, because no charge has paid that line yet.
  const fromElsewhere = lines.filter(({ source }) => source === null || !lines.includes(source));
  const credited = fromElsewhere.reduce((sum, line) => sum + Math.max(0 - lineTotal(line), 0), 0);
  const total = totalOf(lines);
  const onLines = last && total <= 0 ? 0 : Math.min(claim - onBalance, credited);
  return settleWith(balance - onBalance, total, onLines, MINIMUM[currency]!);
}
