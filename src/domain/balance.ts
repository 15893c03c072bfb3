import type { Instant } from "./calendar.ts";
import { minimumCharge } from "./currency.ts";
import { linesThatWaitAgain, totalsOf, type Invoice, type InvoiceLine } from "./invoice.ts";

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

/** A Subscription that is about to end, with what waits for its next invoice, and its open invoices. */
export type Ending = {
  currency: string;
  waiting: readonly InvoiceLine[];
  open: readonly { invoice: Pick<Invoice, "balanceApplied">; lines: readonly InvoiceLine[] }[];
};

/**
 * What a Customer would have in their favour once all of these have ended and nothing more is charged, by currency (rules I5, S4, S5):
 * their balances, what these had settled of open invoices, and waiting lines that are credit as a whole.
 */
export function creditAtEnd(balances: readonly Balance[], endings: readonly Ending[]): Balance[] {
  const amounts = new Map(balances.map(({ currency, amount }) => [currency, amount]));
  for (const { currency, waiting, open } of endings) {
    const balance = open.reduce((sum, { invoice }) => sum + invoice.balanceApplied, amounts.get(currency) ?? 0);
    const last = totalsOf([...waiting, ...open.flatMap(({ lines }) => linesThatWaitAgain(lines))], balance, minimumCharge(currency));
    // A last invoice that something is due on becomes void, and leaves the balance as it was.
    amounts.set(currency, last.amountDue > 0 ? balance : balance - last.balanceApplied);
  }
  return [...amounts].filter(([, amount]) => amount > 0).map(([currency, amount]) => ({ currency, amount }));
}
