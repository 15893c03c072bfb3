import { lineTotal, linesThatWaitAgain, totalsOf, type Invoice, type InvoiceLine } from "./invoice.ts";
import { sumOf, type Amount } from "../money.ts";
import type { ChargeLimits } from "./charge-limits.ts";
import type { Balance } from "./balance.ts";

/** A Subscription that is about to end, with its waiting lines and its open invoices. */
export type Ending = {
  currency: string;
  waiting: readonly InvoiceLine[];
  open: readonly { invoice: Pick<Invoice, "balanceApplied">; lines: readonly InvoiceLine[] }[];
};

/**
 * Credit that can't be spent (rule D7): on a balance, and among lines. `limits`: the amounts of a currency that are
 * charged (rule M5).
 */
export type EndTerms = {
  heldOn(currency: string): Amount;
  heldAmong(lines: readonly InvoiceLine[]): Amount;
  limits(currency: string): ChargeLimits;
};

/**
 * The credit that a Customer would have, by currency, once all these Subscriptions have ended without a further charge
 * (rules I5e, S4, S5). The credit consists of the balances, the part of open invoices that the balances had settled,
 * and waiting lines that together are a credit. Held credit counts too: held credit settles no waiting line, so all of
 * it is left (rule D7).
 */
export function creditAtEnd(balances: readonly Balance[], endings: readonly Ending[], terms: EndTerms): Balance[] {
  const amounts = new Map(balances.map(({ currency, amount }) => [currency, amount]));
  for (const { currency, waiting, open } of endings) {
    const balance = open.reduce((sum, { invoice }) => sum + invoice.balanceApplied, amounts.get(currency) ?? 0);
    const lines = [...waiting, ...open.flatMap((bill) => linesThatWaitAgain(bill.lines))];
    const onLines = sumOf(lines.map(lineTotal)) <= 0 ? 0 : terms.heldAmong(lines);
    const last = totalsOf(lines, balance - terms.heldOn(currency), terms.limits(currency), onLines);
    // A last invoice with an amount due becomes void, and leaves the balance as it was.
    amounts.set(currency, last.amountDue > 0 ? balance : balance - last.balanceApplied);
  }
  return [...amounts].filter(([, amount]) => amount > 0).map(([currency, amount]) => ({ currency, amount }));
}
