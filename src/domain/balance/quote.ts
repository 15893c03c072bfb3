import type { Account } from "../account/account.ts";
import type { Part } from "../account/parts.ts";
import { creditedElsewhere } from "../invoice/credit.ts";
import { minimumCharge } from "../currency.ts";
import type { Dispute } from "../dispute/dispute.ts";
import { holdsOf, totalsWith, type Hold, type QuotedLine } from "./hold.ts";
import type { Totals } from "../invoice/invoice.ts";
import { givenBackOf } from "../invoice/given-back.ts";
import { sumOf, type Amount } from "../money.ts";
import { balanceIn } from "./move.ts";

/**
 * The totals of lines as if they were billed now. Renewals and changes use the balance, purchases do not (rule M4).
 * The part of the balance that a pending change has reserved is not used.
 */
export function quote(account: Account, currency: string, lines: readonly QuotedLine[]): Totals {
  return totalsOfLines(account, currency, lines, false);
}

/** As `quote`, for the last invoice of a Subscription (rule S4). */
export function quoteLast(account: Account, currency: string, lines: readonly QuotedLine[]): Totals {
  return totalsOfLines(account, currency, lines, true);
}

function totalsOfLines(account: Account, currency: string, lines: readonly QuotedLine[], isLast: boolean): Totals {
  const balance = balanceIn(account, currency);
  const plans = account.changes
    .where(({ status, plan }) => status === "pending" && plan.currency === currency)
    .map(({ plan }) => plan);
  const free = freeOf(
    balance,
    plans.map(({ totals }) => totals),
  );
  const reserved = Math.max(balance - free, 0);
  const hold = holdsIn(account).find((each) => each.currency === currency);
  return totalsWith(lines, { balance: free, reserved, hold }, minimumCharge(currency), isLast);
}

/**
 * The part of a balance that pending changes do not reserve: a credit less the amount that the changes use, or a debt
 * less the amount that the changes collect. The result is 0 or has the sign of the balance, even if the balance has
 * changed since the changes were decided. A change without an amount due collects no debt and only adds to the balance.
 */
function freeOf(balance: Amount, pending: readonly Totals[]): Amount {
  const used = pending.map(({ balanceApplied }) => Math.max(balanceApplied, 0));
  const collected = pending.map(({ balanceApplied, amountDue }) =>
    amountDue > 0 ? Math.max(0 - balanceApplied, 0) : 0,
  );
  return balance > 0 ? Math.max(balance - sumOf(used), 0) : Math.min(balance + sumOf(collected), 0);
}

/**
 * The holds on credit from disputed or lost charges (rule D7), as of all changes on this Account so far. More parts are
 * needed only if a dispute is not won, which is rare.
 */
export function holdsIn(account: Account): Hold[] {
  const standing = account.disputes.where(({ status }) => status !== "won");
  if (standing.length === 0) return [];
  account.need({ part: "balance_entries" }, ...standing.flatMap(partsOf));
  const charges = standing.map((dispute) => ({
    currency: dispute.currency,
    disputed: dispute.amount,
    credited: creditedFrom(account, dispute),
    since: dispute.createdAt,
  }));
  return holdsOf(
    charges,
    account.balanceEntries.where(() => true),
  );
}

function partsOf({ invoiceId, paymentId }: Dispute): Part[] {
  const unapplied: Part = { part: "unapplied", paymentId };
  return invoiceId === null ? [unapplied] : [unapplied, { part: "given_back", invoiceId }];
}

/**
 * The credit that came from a charge, in minor units (rule D7). The sources are credits of the invoice's lines outside
 * of that invoice, refunds of that invoice to the balance, and the charge itself if the invoice was void when the money
 * arrived.
 */
function creditedFrom(account: Account, { invoiceId, paymentId }: Dispute): Amount {
  const unapplied = account.transfers.where(
    ({ kind, sourceId }) => kind === "unapplied_payment" && sourceId === paymentId,
  );
  const arrived = sumOf(unapplied.map(({ amount }) => amount));
  if (invoiceId === null) return arrived;
  const { credits, refunds } = givenBackOf(account, invoiceId);
  const toBalance = refunds
    .filter(({ to, status }) => to === "balance" && status === "succeeded")
    .map(({ amount }) => amount);
  return creditedElsewhere(credits) + sumOf(toBalance) + arrived;
}
