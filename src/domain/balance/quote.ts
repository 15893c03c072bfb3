import type { CustomerBilling } from "../billing/customer-billing.ts";
import { limitsIn } from "../billing/limits.ts";
import { totalsOf, lineTotal, type InvoiceLine, type LineAmounts, type Totals } from "../model/invoice.ts";
import { sumOf, type Amount } from "../money.ts";
import type { EndTerms } from "../model/credit-at-end.ts";
import { hasCredit, heldIn, isHeld, spendableIn } from "./move.ts";

/** A payment's reservation: the part that the balance settles, and the amount due (minor units). */
type Reservation = Pick<Totals, "balanceApplied" | "amountDue">;

/**
 * The reservations on the balance in a currency: those of pending changes (rule P1) and of Checkouts that are being
 * paid (rule C7). `except`: a Checkout whose own reservation does not count.
 */
function reservationsIn(
  billing: Pick<CustomerBilling, "changes" | "checkouts">,
  currency: string,
  except: string | null,
): Reservation[] {
  const changes = billing.changes
    .where(({ status, plan }) => status === "pending" && plan.currency === currency)
    .map(({ plan }) => plan.totals);
  const paying = billing.checkouts.where(
    ({ id, status, currency: other }) => status === "processing" && other === currency && id !== except,
  );
  // The change of a Checkout is a pending change, too. A purchase collects no debt, so its amount due is left out.
  const sales = paying.flatMap(({ settlement }) =>
    settlement ? [{ balanceApplied: settlement.balanceApplied, amountDue: 0 }] : [],
  );
  return [...changes, ...sales];
}

/** A line that is to be billed. A line that is not stored yet has no sources. */
export type QuotedLine = LineAmounts & Partial<Pick<InvoiceLine, "sources">>;

/**
 * The totals of lines as if they were billed now, for a renewal or a change (rule M4). The part of the balance that a
 * pending change or a Checkout has reserved is not used, and held credit is not used (rule D7g).
 */
export function quote(billing: CustomerBilling, currency: string, lines: readonly QuotedLine[]): Totals {
  return totalsOf(lines, freeIn(billing, currency), limitsIn(billing, currency), heldAmong(billing, lines));
}

/**
 * As `quote`, for the last invoice of a Subscription. Such an invoice makes no charge if its total is not above zero,
 * so its held credit counts (rules S4, D7h).
 */
export function quoteLast(billing: CustomerBilling, currency: string, lines: readonly QuotedLine[]): Totals {
  const total = sumOf(lines.map(lineTotal));
  return totalsOf(
    lines,
    freeIn(billing, currency),
    limitsIn(billing, currency),
    total <= 0 ? 0 : heldAmong(billing, lines),
  );
}

/**
 * The part of a balance that can be used now, neither held nor reserved; below zero for a debt (minor units). `except`:
 * a Checkout whose own reservation does not count.
 */
export function freeIn(billing: CustomerBilling, currency: string, except: string | null = null): Amount {
  return freeOf(spendableIn(billing, currency), reservationsIn(billing, currency, except));
}

/**
 * The credit that a purchase can use (rule C7), in minor units: neither reserved nor held, and 0 for a debt. `except`:
 * the Checkout of the purchase, whose own reservation does not count.
 */
export function availableCredit(billing: CustomerBilling, currency: string, except: string): Amount {
  if (!hasCredit(billing, currency)) return 0;
  return Math.max(freeIn(billing, currency, except), 0);
}

/**
 * The part of a balance that no payment under way reserves: a credit less the amount that the payments use, or a debt
 * less the amount that they collect. The result is 0 or has the sign of the balance, even if the balance has changed
 * since the payments were decided. A change without an amount due collects no debt and only adds to the balance.
 */
function freeOf(balance: Amount, pending: readonly Reservation[]): Amount {
  const used = pending.map(({ balanceApplied }) => Math.max(balanceApplied, 0));
  const collected = pending.map(({ balanceApplied, amountDue }) =>
    amountDue > 0 ? Math.max(0 - balanceApplied, 0) : 0,
  );
  return balance > 0 ? Math.max(balance - sumOf(used), 0) : Math.min(balance + sumOf(collected), 0);
}

/** Credit among these lines that came from disputed or lost charges (rule D7). */
export function heldAmong(billing: Pick<CustomerBilling, "disputes">, lines: readonly QuotedLine[]): Amount {
  const parts = lines.flatMap(({ sources }) => sources ?? []);
  return sumOf(parts.filter((part) => isHeld(billing, part)).map(({ amount }) => amount));
}

/** The terms on which all Subscriptions of the Customer would end now. */
export const endTermsOf = (billing: CustomerBilling): EndTerms => ({
  heldOn: (currency) => heldIn(billing, currency),
  heldAmong: (lines) => heldAmong(billing, lines),
  limits: (currency) => limitsIn(billing, currency),
});
